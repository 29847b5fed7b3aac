import { answerJson, type FakeOutsider, type OutsiderScript, startFakeOutsider } from './fake-outsider.ts'

/** A price in Finnhub's format: current, change, percent, and Unix time in seconds. */
export interface FakePrice {
  readonly c: number
  readonly d: number
  readonly dp: number
  readonly t: number
}

/** An HTTP fake of Finnhub: `prices` and `names` by symbol; unknown symbols are answered as by Finnhub. */
export interface FakeQuotes extends FakeOutsider {
  readonly prices: Map<string, FakePrice>
  readonly names: Map<string, string>
}

/** Starts a fake without prices. */
export async function startFakeQuotes(): Promise<FakeQuotes> {
  const prices = new Map<string, FakePrice>()
  const names = new Map<string, string>()
  const script: OutsiderScript = ({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://fake.example')
    const symbol = searchParams.get('symbol') ?? ''
    if (pathname === '/quote') answerJson(response, prices.get(symbol) ?? { c: 0, d: null, dp: null, t: 0 })
    else if (pathname === '/stock/profile2') {
      const name = names.get(symbol)
      answerJson(response, name === undefined ? {} : { name, currency: 'USD', ticker: symbol })
    } else answerJson(response, { error: 'not found' }, 404)
  }
  return Object.assign(await startFakeOutsider(script), { prices, names })
}
