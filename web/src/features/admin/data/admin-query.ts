import { queryOptions } from '@tanstack/react-query'

/** Milliseconds between two refreshes of what is shown. */
const refreshMs = 30_000

/** What a query showed before, and since when, in milliseconds. */
export interface Former<Data> {
  readonly data: Data
  readonly at: number
}

/** How the keys of everything begin that only admins see. */
export const adminKey = ['admin'] as const

/**
 * A query of the administration: asked for again every 30 s while it is shown. Equal parts of two answers stay the same objects, so that a
 * refresh draws only what changed.
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
  })
