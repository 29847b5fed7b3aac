import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { endpoints, request } from '../../../../shared/api/index.ts'

/** Milliseconds between refreshes of prices while the tab is visible. */
const pollMs = 15_000

/** The tickers the user follows. */
export const watchlistQuery = queryOptions({
  queryKey: ['watchlist'],
  queryFn: async ({ signal }) => (await request(endpoints.watchlist, { signal })).symbols,
  staleTime: 60_000,
})

/** Prices of tickers, refreshed while they are shown. The response omits unknown tickers. */
export const quotesQuery = (symbols: readonly string[]) =>
  queryOptions({
    queryKey: ['quotes', ...symbols],
    queryFn: async ({ signal }) =>
      (await request(endpoints.quotes, { query: { symbols: symbols.join(',') }, signal })).quotes,
    enabled: symbols.length > 0,
    // Keeps the shown prices while a ticker is being typed.
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.status === 'error' ? false : pollMs),
    staleTime: pollMs,
    retry: false,
  })
