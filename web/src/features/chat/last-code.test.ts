import { expect, it } from 'vitest'
import { lastCodeOf } from './last-code.ts'

it('takes the last block that is closed', () => {
  expect(lastCodeOf('```js\na()\n```\n\ntext\n\n~~~\nb\n\nc\n~~~\nend')).toBe('b\n\nc')
  expect(lastCodeOf('```js\na()\n```\n\n```js\nunfinished')).toBe('a()')
})

it('takes fences inside of longer ones for code', () => {
  expect(lastCodeOf('````md\n```\nx\n```\n````')).toBe('```\nx\n```')
})

it('is nothing without a block', () => {
  expect(lastCodeOf('Just `inline` code')).toBeNull()
})
