import { expect, it } from 'vitest'
import { formatDay, formatMoment, formatSeconds } from './format.ts'

it('names the year of a day only when it is another one', () => {
  const now = new Date(2026, 5, 1)
  expect(formatDay(new Date(2026, 11, 4).toISOString(), 'en-GB', now)).toBe('4 December')
  expect(formatDay(new Date(2027, 0, 4).toISOString(), 'en-GB', now)).toBe('4 January 2027')
})

it('gives moments with minutes and durations with the precision people compare', () => {
  expect(formatMoment(new Date(2026, 11, 4, 14, 5).toISOString(), 'en-GB')).toBe('4 Dec, 14:05')
  expect([380, 3849, 10_400].map((ms) => formatSeconds(ms, 'en'))).toEqual(['0.4', '3.8', '10'])
  expect(formatSeconds(3849, 'de')).toBe('3,8')
})
