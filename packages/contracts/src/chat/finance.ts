import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'

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

const user = routesFor('chat', 'user')

/** Routes of prices and tickers. */
export const financeRoutes = {
  quotes: user.get('/finance/quotes', {
    limited: true,
    summary: 'Current prices; 400 invalid_ticker, 503 without a source',
    query: z.object({ symbols: z.string() }),
    answer: z.object({ quotes: z.array(quoteSchema) }),
  }),
  watchlist: user.get('/finance/watchlist', {
    summary: 'The tickers that the user follows',
    answer: watchlistSchema,
  }),
  setWatchlist: user.put('/finance/watchlist', {
    summary: 'Replace the tickers that the user follows; 400 invalid_ticker',
    body: z.object({ symbols: z.array(z.string()).max(50) }),
    answer: watchlistSchema,
  }),
}
