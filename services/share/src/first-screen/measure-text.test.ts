import { expect, it } from 'vitest'
import { beginningOf, roomOf } from './measure-text.ts'

it.each([
  ['short', 'a\nb', 'a\nb'],
  ['of too many lines', 'a\n'.repeat(500), 'a\n'.repeat(120).slice(0, -1)],
  ['of long lines', `${'a'.repeat(5_000)}\n${'b'.repeat(5_000)}`, 'a'.repeat(5_000)],
  ['of one line', 'a'.repeat(9_000), 'a'.repeat(8_000)],
  ['cut inside a character', `${'a'.repeat(7_999)}😀`, `${'a'.repeat(7_999)}\uFFFD`],
])('a text that is %s begins with what is written of it', (_what, text, beginning) => {
  expect(beginningOf(text)).toBe(beginning)
})

it('a text takes the room of its units, and that of a line for each of its lines', () => {
  expect(roomOf('a'.repeat(1_000))).toBe(1_000)
  expect(roomOf('a\nb\nc')).toBe(180)
})
