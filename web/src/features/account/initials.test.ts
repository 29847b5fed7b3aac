import { expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

it.each([
  ['mara.k', 'MK'],
  ['admin', 'AD'],
  ['x', 'X'],
  ['Ada Byron Lovelace', 'AL'],
  ['🦊fox', '🦊F'],
  ['-_-', '-_'],
])('initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
