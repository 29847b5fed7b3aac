import { expect, it } from 'vitest'
import { tickersFor, tickersIn } from './tickers.ts'

it('tickers are found when marked, in any case, and followed ones as whole words', () => {
  expect(tickersIn('Is $aapl better than MSFT or $BRK.B? MSFTX is not.', ['MSFT'])).toEqual(['AAPL', 'MSFT', 'BRK.B'])
})

it('a sum of money or an ordinary word is no ticker', () => {
  expect(tickersIn('I paid $100 for A CAT', [])).toEqual([])
})

it('tickers of the text come before followed ones, up to the limit', () => {
  expect(tickersFor('What of $TSLA?', ['AAPL', 'TSLA'])).toEqual(['TSLA', 'AAPL'])
  expect(
    tickersFor(
      '',
      Array.from({ length: 30 }, (_, index) => `T${index}`),
    ),
  ).toHaveLength(12)
})
