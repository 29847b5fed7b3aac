import { expect, it } from 'vitest'
import { tickersFor, tickersIn } from './tickers.ts'

it('finds marked tickers in any case, and followed ones where they are words of their own', () => {
  expect(tickersIn('Is $aapl better than MSFT or $BRK.B? MSFTX is not.', ['MSFT'])).toEqual(['AAPL', 'MSFT', 'BRK.B'])
})

it('takes no sum of money and no ordinary word for one', () => {
  expect(tickersIn('I paid $100 for A CAT', [])).toEqual([])
})

it('puts those of the text before the followed ones and shows no more than fit', () => {
  expect(tickersFor('What of $TSLA?', ['AAPL', 'TSLA'])).toEqual(['TSLA', 'AAPL'])
  expect(
    tickersFor(
      '',
      Array.from({ length: 30 }, (_, index) => `T${index}`),
    ),
  ).toHaveLength(12)
})
