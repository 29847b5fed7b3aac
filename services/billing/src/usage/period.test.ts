import { expect, it } from 'vitest'
import { monthsWithin, readDays } from './period.ts'

const now = new Date('2026-03-15T12:00:00.000Z')

it.each([
  ['the last 30 days unless told', {}, { from: '2026-02-14', to: '2026-03-15' }],
  ['those that are told', { from: '2026-01-01', to: '2026-01-02' }, { from: '2026-01-01', to: '2026-01-02' }],
  ['30 up to an end', { to: '2026-01-31' }, { from: '2026-01-02', to: '2026-01-31' }],
  [
    'days of times',
    { from: '2026-01-01T23:00:00Z', to: '2026-01-02T01:00:00Z' },
    { from: '2026-01-01', to: '2026-01-02' },
  ],
])('the days of a query are %s', (_what, query, days) => {
  expect(readDays(query, now)).toEqual(days)
})

it.each(['2026-01-03', '2026-01-02'])('a period from %s to 2026-01-01 is refused', (from) => {
  expect(() => readDays({ from, to: '2026-01-01' }, now)).toThrow('Must not be after the end date')
})

it.each([
  ['a year', '2025-01-01', '2025-12-31', '2025-01-01', '2026-01-01'],
  ['a year from the middle of a month', '2025-03-16', '2026-03-15', '2025-04-01', '2026-03-01'],
  ['one month', '2026-02-01', '2026-02-28', '2026-02-01', '2026-03-01'],
  ['a month but its last day', '2026-02-01', '2026-02-27', '2026-02-01', '2026-02-01'],
  ['days of two months', '2026-01-15', '2026-02-15', '2026-01-15', '2026-01-15'],
  ['one day', '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01'],
])('the whole months within %s are found', (_what, from, to, first, after) => {
  expect(monthsWithin({ from, to, today: '2026-04-30' })).toEqual({ first, after })
})

it.each([
  ['a year until today', '2025-03-16', '2026-03-15', '2025-04-01', '2026-04-01'],
  ['a year until a later day', '2025-03-16', '2026-05-02', '2025-04-01', '2026-06-01'],
  ['this month', '2026-03-01', '2026-03-15', '2026-03-01', '2026-04-01'],
  ['a part of this month', '2026-03-02', '2026-03-15', '2026-03-02', '2026-03-02'],
  ['a year until yesterday', '2025-03-15', '2026-03-14', '2025-04-01', '2026-03-01'],
])('the present month is whole in %s', (_what, from, to, first, after) => {
  expect(monthsWithin({ from, to, today: '2026-03-15' })).toEqual({ first, after })
})
