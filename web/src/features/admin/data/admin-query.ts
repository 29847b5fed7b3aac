import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** Milliseconds between refreshes. */
const refreshMs = 30_000

/** The data a query had before, and its time in milliseconds. */
export interface Former<Data> {
  readonly data: Data
  readonly at: number
}

/** The prefix of all query keys of the administration. */
export const adminKey = ['admin'] as const

/**
 * A query of the administration, refreshed every 30 s while it is shown. Unchanged parts keep their identity (structural sharing), so a refresh
 * renders only what changed; while another page, filter or day is loaded, the former rows stay.
 */
export const adminQuery = <Data>(
  key: readonly unknown[],
  load: (signal: AbortSignal, former: () => Former<Data> | undefined) => Promise<Data>,
) =>
  queryOptions({
    queryKey: [...adminKey, ...key],
    queryFn: ({ signal, client, queryKey }) =>
      load(signal, () => {
        const state = client.getQueryState<Data>(queryKey)
        return state?.data === undefined ? undefined : { data: state.data, at: state.dataUpdatedAt }
      }),
    refetchInterval: refreshMs,
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  })
