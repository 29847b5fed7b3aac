import { expect, it } from 'vitest'
import { tickersFor, tickersIn } from './tickers.ts'

it('tickers are found in any case if marked, and as whole words in capitals if followed', () => {
  expect(tickersIn('Is $aapl better than MSFT or $BRK.B? MSFTX is not.', ['MSFT'])).toEqual(['AAPL', 'MSFT', 'BRK.B'])
})

it('amounts of money and ordinary words are not taken for tickers', () => {
  expect(tickersIn('I paid $100 for A CAT', [])).toEqual([])
})

it('tickers in the text come before followed ones, up to the limit', () => {
  expect(tickersFor('What of $TSLA?', ['AAPL', 'TSLA'])).toEqual(['TSLA', 'AAPL'])
  expect(
    tickersFor(
      '',
      Array.from({ length: 30 }, (_, index) => `T${index}`),
    ),
  ).toHaveLength(12)
})
