import { expect, it } from 'vitest'
import { countedDays } from './counted-days.ts'

it('a day before counting began has no value, and a later day without active users has 0', () => {
  const dates = ['2030-01-01', '2030-01-02', '2030-01-03', '2030-01-04']
  const days = [
    { date: '2030-01-02', users: 7 },
    { date: '2030-01-04', users: 9 },
  ]
  expect(countedDays(days, dates)).toEqual([null, 7, 0, 9])
  expect(countedDays([], dates)).toEqual([null, null, null, null])
})
