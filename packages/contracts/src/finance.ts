import { z } from 'zod'
import { timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

/** The price of a ticker. */
export const quoteSchema = z.object({
  symbol: z.string(),
  name: z.string(),
  price: z.number(),
  change: z.number(),
  changePercent: z.number(),
  currency: z.string(),
  time: timeSchema,
  /** The source's prices are not real-time. */
  delayed: z.boolean(),
})
export type Quote = z.infer<typeof quoteSchema>
const watchlistSchema = z.object({ symbols: z.array(z.string()) })

const service = 'chat'

/** Routes of prices and tickers. */
export const financeRoutes = {
  quotes: defineRoute({
    method: 'GET',
    path: '/finance/quotes',
    service,
    access: 'user',
    limited: true,
    summary: 'Current prices; 400 invalid_ticker, 503 without a source',
    query: z.object({ symbols: z.string() }),
    answer: z.object({ quotes: z.array(quoteSchema) }),
  }),
  watchlist: defineRoute({
    method: 'GET',
    path: '/finance/watchlist',
    service,
    access: 'user',
    summary: 'The tickers that the user follows',
    answer: watchlistSchema,
  }),
  setWatchlist: defineRoute({
    method: 'PUT',
    path: '/finance/watchlist',
    service,
    access: 'user',
    summary: 'Replace the tickers that the user follows; 400 invalid_ticker',
    body: z.object({ symbols: z.array(z.string()).max(50) }),
    answer: watchlistSchema,
  }),
}
