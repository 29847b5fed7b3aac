import { describe, expect, it } from 'vitest'
import { createBlockSplitter, readCode, splitBlocks } from './split-blocks.ts'

const blocksOf = (text: string) => splitBlocks(text).blocks

describe('splitBlocks', () => {
  it('splits between paragraphs, headings and quotes', () => {
    expect(blocksOf('# Title\n\nOne\nline two\n\n> quote\n\nEnd')).toEqual([
      '# Title',
      'One\nline two',
      '> quote',
      'End',
    ])
  })

  it('keeps a loose list together, with its numbering and indented parts', () => {
    const list = '1. one\n\n   more\n\n2. two\n\n3. three'
    expect(blocksOf(`${list}\n\nAfter`)).toEqual([list, 'After'])
  })

  it('keeps blank lines inside a fence', () => {
    const code = '```js\na\n\n# not a heading\n\nb\n```'
    expect(blocksOf(`Before\n\n${code}\nAfter`)).toEqual(['Before', code, 'After'])
  })

  it('starts a block at a fence without a blank line before it', () => {
    expect(blocksOf('Text:\n```\ncode\n```')).toEqual(['Text:', '```\ncode\n```'])
  })

  it('needs a closing fence of the same character and at least the same length', () => {
    expect(splitBlocks('````md\n```\nx\n```\n~~~~\n').fenceOpen).toBe(true)
    expect(splitBlocks('````md\n```\nx\n```\n````\n').fenceOpen).toBe(false)
  })

  it('does not take inline code for a fence', () => {
    expect(splitBlocks('```code``` in a line').fenceOpen).toBe(false)
  })

  it('keeps a fence that belongs to a list item in its list', () => {
    const list = '- item\n\n  ```sh\n  a\n\n  b\n  ```\n\n- next'
    expect(blocksOf(list)).toEqual([list])
  })

  it('keeps a fence that starts on the line of its item in its list', () => {
    for (const list of ['- ```js\n  a\n  ```', '1. ```js\n   a\n   ```', 'Do:\n- a\n  - ```\n    b\n    ```']) {
      expect(blocksOf([list, 'Text', '```\ncode\n```', 'After'].join('\n\n'))).toEqual([
        list,
        'Text',
        '```\ncode\n```',
        'After',
      ])
    }
  })

  it('ends a fence with its list item, closed or not', () => {
    const list = '- item\n  ```\n  a\n\n  b'
    expect(blocksOf([list, 'Text\n\n```\ncode\n```\n\nAfter'].join('\n'))).toEqual([
      `${list}\nText`,
      '```\ncode\n```',
      'After',
    ])
  })

  it('keeps the fence of a list item open over blank lines, until it is closed', () => {
    const list = '- item\n  ```\n  a\n\n  b'
    expect([splitBlocks(list).fenceOpen, splitBlocks(`${list}\n  \`\`\``).fenceOpen]).toEqual([true, false])
  })

  it('counts a tab as four columns', () => {
    const code = '```md\n- item\n\n\t```\n\tcode\n```'
    expect(blocksOf(`${code}\nAfter`)).toEqual([code, 'After'])
    const list = '- item\n\n\t```\n\ta'
    expect(blocksOf(`${list}\n\nText\n\nAfter`)).toEqual([`${list}\n\nText`, 'After'])
  })

  it('does not take marks that are indented like code for the end of a fence', () => {
    const code = '```md\n- item\n\n    ```\n    code\n    ```\n\nmore\n   ```'
    expect(blocksOf(`${code}\nAfter`)).toEqual([code, 'After'])
    expect(readCode(code)?.code).toBe('- item\n\n    ```\n    code\n    ```\n\nmore')
  })

  it('does not take indented code for a fence', () => {
    expect(blocksOf('Text\n\n    ```\n\nMore\n\nEnd')).toEqual(['Text\n\n    ```', 'More', 'End'])
  })

  it('keeps a loose list together that follows a line of text', () => {
    expect(blocksOf('Steps:\n1. one\n\n2. two\n\nAfter')).toEqual(['Steps:\n1. one\n\n2. two', 'After'])
  })

  it('keeps a table whole', () => {
    const table = '| a | b |\n| - | - |\n| 1 | 2 |'
    expect(blocksOf(`x\n\n${table}\n\ny`)).toEqual(['x', table, 'y'])
  })

  it('adds a link’s definition from another block', () => {
    expect(blocksOf('See [docs][d].\n\nMore\n\n[d]: https://example.com')).toEqual([
      'See [docs][d].\n\n[d]: https://example.com',
      'More',
      '[d]: https://example.com',
    ])
  })

  it('does not split a text with footnotes', () => {
    expect(blocksOf('a[^1]\n\nb\n\n[^1]: note')).toHaveLength(1)
  })

  it('returns no block for blank text', () => {
    expect(splitBlocks('\n\n')).toEqual({ blocks: [], fenceOpen: false })
  })

  it('never changes a finished block while the text grows', () => {
    const text = 'Intro\n\n- a\n- b\n\n```ts\nconst x = 1\n\nconst y = 2\n```\n\n| a |\n| - |\n| 1 |\n\nEnd of it.'
    const final = blocksOf(text)
    for (let length = 1; length <= text.length; length += 1) {
      const finished = blocksOf(text.slice(0, length)).slice(0, -1)
      expect(final.slice(0, finished.length)).toEqual(finished)
    }
  })
})

describe('createBlockSplitter', () => {
  it('gives the same result for a growing text as for the whole', () => {
    const text = 'A\n\n- one\n\n- two\n\n```js\nx\n\ny\n```\nB [l]\n\n[l]: https://a.example\n\n> q\n\nC'
    for (let step = 1; step < 7; step += 1) {
      const split = createBlockSplitter()
      for (let length = 0; length < text.length; length += step) split(text.slice(0, length))
      expect(split(text)).toEqual(splitBlocks(text))
    }
  })

  it('starts over with another text', () => {
    const split = createBlockSplitter()
    split('a\n\nb\n\nc')
    expect(split('x\n\ny').blocks).toEqual(['x', 'y'])
  })
})

describe('readCode', () => {
  it.each([
    ['```js\nx\n```', { code: 'x', language: 'js' }],
    ['```\nx\ny', { code: 'x\ny', language: '' }],
    ['~~~py title\n```\n~~~', { code: '```', language: 'py' }],
    ['```', { code: '', language: '' }],
  ])('reads %j', (block, code) => {
    expect(readCode(block)).toEqual(code)
  })

  it.each(['a paragraph', '- ```\n  x', '  ```\n  x\n  ```', '`inline`'])('leaves %j to the parser', (block) => {
    expect(readCode(block)).toBeNull()
  })
})
