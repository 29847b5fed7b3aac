import { expect, it } from 'vitest'
import { chatTitle } from './chat-title.ts'

it.each([
  ['Hello', 'Hello'],
  ['  two\n\n lines\t', 'two lines'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['x'.repeat(51), `${'x'.repeat(50)}…`],
  ['😀'.repeat(51), `${'😀'.repeat(50)}…`],
  [`${'x'.repeat(49)} yz`, `${'x'.repeat(49)}…`],
])('the title of %j is %j', (message, title) => {
  expect(chatTitle(message)).toBe(title)
})

it('the title of a message of any length is well-formed Unicode', () => {
  for (const length of [3_999, 4_000, 4_001]) expect(chatTitle('😀'.repeat(length)).isWellFormed()).toBe(true)
  expect(chatTitle(`${' '.repeat(5_000)}late`)).toBe('late')
})
