import { expect, it } from 'vitest'
import { readTicker, tickersIn } from './ticker.ts'

it.each([
  ['aapl', 'AAPL'],
  ['BRK.B', 'BRK.B'],
  ['BINANCE:BTCUSDT', 'BINANCE:BTCUSDT'],
  ['^GSPC', '^GSPC'],
])('%s is the ticker %s', (text, ticker) => {
  expect(readTicker(text)).toBe(ticker)
})

it.each(['', ' ', '1', '$AAPL', '../', 'A..B', 'AAPL\n', 'AAPL?x=', 'ıBM', '\u212a', 'A'.repeat(13), 'ÄA', 'A/B'])(
  '%j is no ticker',
  (text) => {
    expect(readTicker(text)).toBeUndefined()
  },
)

it.each([
  ['$AAPL, $msft; and $AAPL again', [], ['AAPL', 'MSFT']],
  ['AAPL or aapl?', ['AAPL'], ['AAPL']],
  ['all of it', ['ALL'], []],
  ['It costs $100 or $5k', [], []],
  ['(BRK.B)', ['BRK.B'], ['BRK.B']],
] as const)('the tickers in %j, with %j in the watchlist, are %j', (text, followed, found) => {
  expect(tickersIn(text, followed, 8)).toEqual(found)
})

it('tickers are found in time linear in the text', () => {
  const text = 'A.'.repeat(50_000)
  expect(tickersIn(text, [], 8)).toEqual([])
  expect(tickersIn('$A '.repeat(30_000), [], 8)).toEqual(['A'])
})
