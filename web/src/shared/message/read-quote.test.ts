import { expect, it } from 'vitest'
import { readQuote } from './read-quote.ts'

const quote = {
  symbol: 'AAPL',
  name: 'Apple',
  price: 200.5,
  change: -1.5,
  changePercent: -0.7,
  currency: 'USD',
  time: '2030-01-01T00:00:00Z',
}

it('the price that a tool found is shown as delayed only if it is', () => {
  expect(readQuote({ ...quote, delayed: true, other: 1 })).toEqual({ ...quote, delayed: true })
  expect(readQuote(quote)).toEqual({ ...quote, delayed: false })
})

it.each([null, 'AAPL', {}, { ...quote, price: '200.5' }, { ...quote, change: Number.NaN }, { ...quote, name: null }])(
  'a stored result that is no price is not shown as one (%#)',
  (result) => {
    expect(readQuote(result)).toBeNull()
  },
)
