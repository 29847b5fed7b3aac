import { queryOptions } from '@tanstack/react-query'

/** Milliseconds between two refreshes of what is shown. */
const refreshMs = 30_000

/** How the keys of everything begin that only admins see. */
export const adminKey = ['admin'] as const

/**
 * A query of the administration: asked for again every 30 s while it is shown. Equal parts of two answers stay the same objects, so that a
 * refresh draws only what changed.
 */
export const adminQuery = <Data>(key: readonly unknown[], load: (signal: AbortSignal) => Promise<Data>) =>
  queryOptions({
    queryKey: [...adminKey, ...key],
    queryFn: ({ signal }) => load(signal),
    refetchInterval: refreshMs,
    staleTime: 5_000,
  })
