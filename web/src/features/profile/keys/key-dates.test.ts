import { expect, it } from 'vitest'
import { endOfDay, expiryOf, localDate } from './key-dates.ts'

it('a key that expires on a day is valid until the end of that day in its owner’s time zone', () => {
  const end = new Date(endOfDay('2030-01-31'))
  expect(localDate(end)).toBe('2030-01-31')
  expect(localDate(new Date(end.getTime() + 1))).toBe('2030-02-01')
})

it.each([
  [null, 'none'],
  ['2030-02-01T00:00:00Z', 'far'],
  ['2030-01-08T00:00:00Z', 'soon'],
  ['2030-01-01T00:00:00Z', 'expired'],
] as const)('a key with the expiry %s counts as %s on the first of January 2030', (expiresAt, state) => {
  expect(expiryOf(expiresAt, Date.parse('2030-01-01T00:00:00Z'))).toBe(state)
})
