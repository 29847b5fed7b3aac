import { expect, it } from 'vitest'
import { fillDays, lastDays, loneIndexes } from './days.ts'

it('the days of a period end with today in UTC, across months and leap days', () => {
  expect(lastDays(3, Date.parse('2028-03-01T23:59:59Z'))).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
})

it('a day without usage is plotted as zero, and one outside the period is not plotted', () => {
  const days = [
    { date: '2030-01-01', value: 9 },
    { date: '2030-01-03', value: 4 },
  ]
  expect(fillDays(days, ['2030-01-02', '2030-01-03', '2030-01-04'], ({ value }) => value)).toEqual([0, 4, 0])
})

it('a day is isolated if neither of its neighbours has a value, also at the ends', () => {
  expect(loneIndexes([5, null, 0, null, 1, 2, null, 3])).toEqual([0, 2, 7])
})
