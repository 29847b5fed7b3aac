import { expect, it } from 'vitest'
import { formatCost, totalsOf } from './money-days.ts'

it('the totals of a period are the sums of its days', () => {
  const day = { date: '2030-01-01', sold: 10, spent: 5, recorded: 4, providerCost: 250_000, drift: 1 }
  expect(totalsOf([day, { ...day, date: '2030-01-02', drift: -1 }])).toEqual({
    ...{ sold: 20, spent: 10, recorded: 8, providerCost: 500_000, drift: 0 },
  })
  expect(totalsOf([])).toMatchObject({ sold: 0, drift: 0 })
})

it.each([
  [0, '$0.00'],
  [1_240_000, '$1.24'],
  [1_234, '$0.0012'],
])('a cost of %i micro-dollars is formatted as %s', (micros, text) => {
  expect(formatCost(micros, 'en')).toBe(text)
})
