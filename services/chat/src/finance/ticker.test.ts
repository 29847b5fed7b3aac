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
  '%j is none',
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
] as const)('in %j with %j followed: %j', (text, followed, found) => {
  expect(tickersIn(text, followed, 8)).toEqual(found)
})

it('are looked for in time that grows with the text alone', () => {
  const text = 'A.'.repeat(50_000)
  expect(tickersIn(text, [], 8)).toEqual([])
  expect(tickersIn('$A '.repeat(30_000), [], 8)).toEqual(['A'])
})
