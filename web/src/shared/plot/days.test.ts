import { expect, it } from 'vitest'
import { fillDays, lastDays, loneIndexes } from './days.ts'

it('the days of a period end with today, in UTC, and pass over months and leap days', () => {
  expect(lastDays(3, Date.parse('2028-03-01T23:59:59Z'))).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
})

it('a day without use is drawn as zero, and one outside of the period not at all', () => {
  const days = [
    { date: '2030-01-01', value: 9 },
    { date: '2030-01-03', value: 4 },
  ]
  expect(fillDays(days, ['2030-01-02', '2030-01-03', '2030-01-04'])).toEqual([0, 4, 0])
})

it('a day is alone when neither of its neighbours has a value, at the ends as well', () => {
  expect(loneIndexes([5, null, 0, null, 1, 2, null, 3])).toEqual([0, 2, 7])
})
