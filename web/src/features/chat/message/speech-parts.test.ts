import { expect, it } from 'vitest'
import { languageOf, speechParts } from './speech-parts.ts'

it.each([
  ['The house is old and the heating with it.', 'en'],
  ['Die Wärmepumpe ist nicht für jedes Haus.', 'de'],
  ['Les pompes dans une maison, avec des radiateurs.', 'fr'],
  ['Para una casa con las ventanas nuevas.', 'es'],
  ['これは日本語の文章です。', 'ja'],
  ['这是一个中文句子。', 'zh'],
  ['هذه جملة بالعربية.', 'ar'],
  ['42', 'xx'],
])('the language of %j is detected as %s', (text, language) => {
  expect(languageOf(text, 'xx')).toBe(language)
})

it('speech omits the markup of a text', () => {
  const markdown =
    '# Title\n\nThe **bold** [link](https://a.example/x) and the `code` [1].\n\n```js\nconst x = 1\n```\n\n- One.\n- Two.'
  expect(speechParts(markdown, 'en').map(({ text }) => text)).toEqual([
    'Title',
    'The bold link and the code .',
    'One.',
    'Two.',
  ])
})

it('speech omits URLs, and code that is not closed', () => {
  expect(speechParts('Before.\n\nhttps://a.example/x?y=1\n\n```\nnever said', 'en').map(({ text }) => text)).toEqual([
    'Before.',
  ])
})

it('speech splits a long sentence between words', () => {
  const parts = speechParts('word '.repeat(200), 'en')
  expect(parts.every(({ text }) => text.length <= 220 && /^(?:word ?)+$/.test(text))).toBe(true)
  expect(
    parts
      .map(({ text }) => text)
      .join(' ')
      .match(/word/g),
  ).toHaveLength(200)
})
