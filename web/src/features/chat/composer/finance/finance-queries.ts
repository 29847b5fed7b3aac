import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { endpoints, request } from '../../../../shared/api/index.ts'

/** Milliseconds between two looks at the prices, while the tab is seen. */
const pollMs = 15_000

/** The tickers that the user follows. */
export const watchlistQuery = queryOptions({
  queryKey: ['watchlist'],
  queryFn: async ({ signal }) => (await request(endpoints.watchlist, { signal })).symbols,
  staleTime: 60_000,
})

/** Prices of these tickers, asked for again as long as they are shown. What does not exist is left out of the answer. */
export const quotesQuery = (symbols: readonly string[]) =>
  queryOptions({
    queryKey: ['quotes', ...symbols],
    queryFn: async ({ signal }) =>
      (await request(endpoints.quotes, { query: { symbols: symbols.join(',') }, signal })).quotes,
    enabled: symbols.length > 0,
    // Prices stay while a ticker is being typed.
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.status === 'error' ? false : pollMs),
    staleTime: pollMs,
    retry: false,
  })
