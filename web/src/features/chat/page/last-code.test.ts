import { expect, it } from 'vitest'
import { lastCodeOf } from './last-code.ts'

it('the last code of a thread is its last closed block', () => {
  expect(lastCodeOf('```js\na()\n```\n\ntext\n\n~~~\nb\n\nc\n~~~\nend')).toBe('b\n\nc')
  expect(lastCodeOf('```js\na()\n```\n\n```js\nunfinished')).toBe('a()')
})

it('a fence inside a longer one belongs to the last code', () => {
  expect(lastCodeOf('````md\n```\nx\n```\n````')).toBe('```\nx\n```')
})

it('a thread without a block has no last code', () => {
  expect(lastCodeOf('Just `inline` code')).toBeNull()
})
