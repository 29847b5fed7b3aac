import { expect, it } from 'vitest'
import { mergeBlocks } from './merge-blocks.ts'

it('small blocks are merged without losing words or their order', () => {
  const blocks = Array.from({ length: 500 }, (_, index) => `Paragraph ${index}`)
  const merged = mergeBlocks(blocks)
  expect(merged.length).toBeLessThan(10)
  expect(merged.join('\n\n')).toBe(blocks.join('\n\n'))
})

it('code and large blocks are not merged', () => {
  const long = 'word '.repeat(300)
  expect(mergeBlocks(['a', '```js\nx\n```', 'b', 'c', long, 'd'])).toEqual(['a', '```js\nx\n```', 'b\n\nc', long, 'd'])
})
