import { AppError } from '@parley/kit'

/** Judged before letters are made capitals: some letters of other scripts have an ASCII letter as their capital. */
const tickerForm = /^\^?[A-Za-z][A-Za-z0-9]{0,11}(?:[.:-][A-Za-z0-9]{1,11}){0,2}$/

/** A ticker in its usual form, as `AAPL`, `BRK.B` or `BINANCE:BTCUSDT`; undefined when it is none. */
export function readTicker(text: string): string | undefined {
  return tickerForm.test(text) ? text.toUpperCase() : undefined
}

/** Distinct tickers in the order given. @throws AppError invalid_ticker when one is none, or there are more than `most` */
export function readTickers(texts: readonly string[], most: number): readonly string[] {
  const tickers = texts.map((text) => readTicker(text.trim()) ?? invalidTicker())
  const distinct = [...new Set(tickers)]
  return distinct.length > most ? invalidTicker() : distinct
}

function invalidTicker(): never {
  throw new AppError('invalid_ticker', 'Invalid ticker')
}

/** Tickers that a message names: `$AAPL` anywhere, and bare words only if the user follows them. At most `most`, in the order of the text. */
export function tickersIn(text: string, followed: readonly string[], most: number): readonly string[] {
  const known = new Set(followed)
  const found = new Set<string>()
  for (const [, dollar, name = ''] of text.matchAll(/(\$?)(\^?[A-Za-z][A-Za-z0-9]*(?:[.:-][A-Za-z0-9]+)*)/g)) {
    if (found.size === most) break
    const ticker = readTicker(name)
    // A word is a ticker only as it is written: "all" is none, also for those who follow ALL.
    if (ticker !== undefined && (dollar === '$' || (known.has(ticker) && name === ticker))) found.add(ticker)
  }
  return [...found]
}
