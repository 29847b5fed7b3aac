import { expect, it } from 'vitest'
import { lineCount, withPasted } from './pasted-text.ts'

it('leaves a message alone that nothing was pasted into', () => {
  expect(withPasted('  as typed ', [])).toBe('  as typed ')
})

it('puts pasted texts below, in blocks that they cannot end themselves', () => {
  expect(withPasted('Look:', ['a\nb\n', 'c'])).toBe('Look:\n\n```\na\nb\n```\n\n```\nc\n```')
  expect(withPasted(' ', ['x ```` y'])).toBe('`````\nx ```` y\n`````')
})

it('counts lines of every system', () => {
  expect([lineCount('one'), lineCount('a\r\nb'), lineCount('a\nb\n')]).toEqual([1, 2, 3])
})
