import { describe, expect, it } from 'vitest'
import { cleanText } from './clean-text.ts'

describe('cleaning a text for the model', () => {
  it.each([
    ['the the cat', 'the cat'],
    ['The the the cat sat sat, sat', 'The cat sat, sat'],
    ['no, no', 'no, no'],
    ['very very, good', 'very, good'],
    ['sooooo coool', 'soo cool'],
    ['really!!! what??? so,, yes', 'really! what? so, yes'],
    ['what?!?! wait.... and ... on', 'what?!?! wait… and ... on'],
    ['(wowww!!)', '(woww!)'],
    ['Здраааавствуй мир мир', 'Здраавствуй мир'],
    ['γειαααα σου σου', 'γειαα σου'],
    ['it’s it’s fine', 'it’s fine'],
    ['x  the\tthe  y', 'x  the  y'],
  ])('makes %j of it: %j', (typed, cleaned) => {
    expect(cleanText(typed)).toBe(cleaned)
  })

  it.each([
    ['numbers', '1 1 1000000 2,,3 0xfff #fff 3.14 XXX III'],
    ['addresses', 'https://exaaample.org/??q=1,,2!! www.aaa.example http://x/../....'],
    ['other scripts', '哈哈 哈哈 哈哈哈哈 はははは 하하하하 ههههه ههههه ทททท'],
    ['inline code', 'run `aaa!! aaa!!` and ``b`b!!!``'],
    ['fenced code', '```js\nif (!!a) return b ?? c,,\naaa aaa\n```\nok'],
    ['fences of tildes, also unclosed', '~~~\naaa aaa!!!\n```\nbbb bbb'],
    ['indented code', 'so:\n    aaa aaa!!\n\tbbb bbb??\n'],
    ['names of programs', 'snake___case foo.baaar a/bbb/c $AAA x=yyyy a@bbb.ccc'],
    ['repeated lines', 'yes\nyes\nyes'],
    ['white space', '  a \r\n\r\n\t b\u00a0 \n'],
    ['nothing', ''],
  ])('leaves %s as they are', (_what, typed) => {
    expect(cleanText(typed)).toBe(typed)
  })

  it('cleans around code', () => {
    expect(cleanText('heyyy heyyy\n```\nheyyy heyyy\n```\nheyyy heyyy `heyyy heyyy` heyyy!!')).toBe(
      'heyy\n```\nheyyy heyyy\n```\nheyy `heyyy heyyy` heyy!',
    )
  })

  it('is idempotent', () => {
    for (const text of ['aaaa aaaa!!! ....', 'The theee THE', '"sooo," he he said....']) {
      const once = cleanText(text)
      expect(cleanText(once)).toBe(once)
    }
  })
})

describe('the time of cleaning a text', () => {
  const size = 100_000
  const fill = (pattern: string): string => pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size)
  const increasingRuns = (mark: string): string => {
    let text = ''
    for (let length = 1; text.length < size; length += 1) text += `${mark.repeat(length)}x`
    return text.slice(0, size)
  }

  it.each([
    ['one letter', fill('a')],
    ['one word', fill('aa ')],
    ['a long word twice', `${'ab'.repeat(size / 4)} ${'ab'.repeat(size / 4)}`],
    ['marks', fill('!')],
    ['marks with letters between', fill('!!!!!!!!!!!!!!!!!!!!a')],
    ['runs of marks that grow', increasingRuns('!')],
    ['backticks', fill('`')],
    ['runs of backticks that grow', increasingRuns('`')],
    ['fences', fill('```\n~~~\n')],
    ['dots', fill('.')],
    ['opening brackets', fill('(')],
    ['empty lines', fill('\n')],
    ['spaces', fill(' ')],
    ['combining marks', fill('e\u0301')],
  ])('on 100 KB of %s grows with the length only', (_what, text) => {
    let examined = 0
    cleanText(text, (characters) => {
      examined += characters
    })
    expect(examined).toBeGreaterThanOrEqual(text.length)
    // Lines, inline code and words: each looks at every character once.
    expect(examined).toBeLessThanOrEqual(3 * text.length)
  })
})
