import { expect, it } from 'vitest'
import { agoText } from './ago.ts'

it.each([
  [0, 'now'],
  [12_400, '12 seconds ago'],
  [60_000, '1 minute ago'],
  [7_200_000, '2 hours ago'],
  [90_000_000, 'yesterday'],
  [-5_000, 'now'],
])('an age of %i ms reads “%s”', (age, text) => {
  expect(agoText(1_000_000_000, 1_000_000_000 + age, 'en')).toBe(text)
})
