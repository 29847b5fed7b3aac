import type { Cache } from '@parley/cache'
import { type Quote, quoteSchema } from '@parley/contracts'
import { AppError, createFresh, createLimiter, unavailable } from '@parley/kit'
import { z } from 'zod'
import type { Common } from '../common.ts'
import type { ToolService } from '../tools/tool.ts'

/** Prices of tickers. */
export type Quotes = ReturnType<typeof createQuotes>

export interface QuotesDeps extends Pick<Common, 'now'> {
  /** The address of Finnhub and the key for it; undefined when this installation has none. */
  readonly source: ToolService | undefined
  readonly cache: Cache
}

/** Calls of the source that are under way at once, and that may wait. */
const [callsAtOnce, callsWaiting] = [4, 200]
const quoteMs = 15_000
const nameMs = 24 * 60 * 60 * 1000
const callMs = 5_000
/** Tickers that callers share their questions about. */
const maxInFlight = 500
/** A price this old, in milliseconds, is not one of this moment. */
const delayedAfterMs = 15 * 60 * 1000

/** The latest time, in seconds, that a calendar knows. */
const lastSecond = 8.64e12
/** Current price, change, percent and the time in seconds; nothing or zeros for a ticker that is unknown. */
const priceSchema = z.object({
  c: z.number().nullish(),
  d: z.number().nullish(),
  dp: z.number().nullish(),
  t: z.number().min(0).max(lastSecond).nullish(),
})
const profileSchema = z.object({ name: z.string().max(300).optional(), currency: z.string().max(10).optional() })
type Profile = z.infer<typeof profileSchema>

/** Quotes from Finnhub, cached for all replicas. */
export function createQuotes({ source, cache, now }: QuotesDeps) {
  const limiter = createLimiter(callsAtOnce, callsWaiting)
  const asked = createFresh<Quote | null>({ maxAgeMs: 0, max: maxInFlight })
  const ask = async <T extends z.ZodType>(path: string, symbol: string, schema: T): Promise<z.output<T>> => {
    if (source === undefined) throw noSource()
    const url = `${source.baseUrl.replace(/\/$/, '')}${path}?symbol=${encodeURIComponent(symbol)}`
    const init = { headers: { 'x-finnhub-token': source.apiKey }, signal: AbortSignal.timeout(callMs) }
    try {
      const response = await limiter.run(() => source.fetch(url, init))
      if (!response.ok) {
        // Unread, it would keep its connection.
        await response.body?.cancel()
        throw new Error(`the source of quotes answered ${response.status}`)
      }
      return schema.parse(await response.json())
    } catch (error) {
      throw unavailable(error)
    }
  }
  const profileOf = async (symbol: string): Promise<Profile> => {
    const kept = await cache.get(`profile:${symbol}`)
    if (kept !== undefined) return profileSchema.parse(JSON.parse(kept))
    try {
      const profile = await ask('/stock/profile2', symbol, profileSchema)
      await cache.set(`profile:${symbol}`, JSON.stringify(profile), nameMs)
      return profile
    } catch {
      // A price without a name is worth more than none; some tickers have no profile.
      return {}
    }
  }
  const fetchQuote = async (symbol: string): Promise<Quote | null> => {
    const [{ c, d, dp, t }, profile] = await Promise.all([ask('/quote', symbol, priceSchema), profileOf(symbol)])
    const time = new Date((t ?? 0) * 1000)
    const delayed = now().getTime() - time.getTime() > delayedAfterMs
    const known = { symbol, name: profile.name || symbol, currency: profile.currency || 'USD' }
    const moved = { change: d ?? 0, changePercent: dp ?? 0, time: time.toISOString(), delayed }
    const found = c && t ? { ...known, price: c, ...moved } : null
    await cache.set(`quote:${symbol}`, JSON.stringify(found), quoteMs)
    return found
  }
  const one = async (symbol: string): Promise<Quote | null> => {
    const kept = await cache.get(`quote:${symbol}`)
    if (kept !== undefined) return quoteSchema.nullable().parse(JSON.parse(kept))
    return await asked.get(symbol, () => fetchQuote(symbol))
  }
  return {
    /**
     * The prices that the source knows, in the order asked for; at most 15 s old.
     * @param symbols as `readTicker` gives them
     * @throws AppError unavailable without a source and when it cannot be asked
     */
    async of(symbols: readonly string[]): Promise<readonly Quote[]> {
      if (source === undefined) throw noSource()
      const quotes = await Promise.all(symbols.map(one))
      return quotes.filter((quote) => quote !== null)
    },
  }
}

const noSource = (): AppError =>
  new AppError('unavailable', 'Quotes aren’t available here: no price source is set up.', { isReported: false })
