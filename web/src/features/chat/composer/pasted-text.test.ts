import { expect, it } from 'vitest'
import { lineCount, withPasted } from './pasted-text.ts'

it('a message without pasted text is unchanged', () => {
  expect(withPasted('  as typed ', [])).toBe('  as typed ')
})

it('pasted texts are appended in fenced blocks that they cannot close', () => {
  expect(withPasted('Look:', ['a\nb\n', 'c'])).toBe('Look:\n\n```\na\nb\n```\n\n```\nc\n```')
  expect(withPasted(' ', ['x ```` y'])).toBe('`````\nx ```` y\n`````')
})

it('the lines of a pasted text are counted with any line ending', () => {
  expect([lineCount('one'), lineCount('a\r\nb'), lineCount('a\nb\n')]).toEqual([1, 2, 3])
})
