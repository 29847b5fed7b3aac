import type { GuestSession } from '@parley/contracts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getSession, setUser } from '../session/index.ts'
import { type Endpoint, endpoints, request } from './endpoints.ts'
import { isApiError } from './error.ts'
import type { CallInput } from './http.ts'

const minute = 60_000
const day = 24 * 60 * minute

interface QueryInput extends Pick<CallInput, 'params' | 'query'> {
  /** Milliseconds for which the answer is fresh; 0 by default. */
  readonly staleTime?: number
}

export const apiQuery = <R>(
  queryKey: readonly unknown[],
  call: Endpoint<R>,
  { staleTime = 0, ...input }: QueryInput = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => request(call, { ...input, signal }), staleTime })

/** A chat with its latest messages. */
export const chatQuery = (id: string) => apiQuery(['chat', id], endpoints.chat, { params: { id }, staleTime: 10_000 })

/** The signed-in user's profile, which also updates the session. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => {
    for (;;) {
      const before = getSession().user
      const { user } = await request(endpoints.profile, { signal })
      // The user may have signed out while the request was in flight.
      if (getSession().token === null) return user
      // A change that was saved in the meantime may be missing from this response.
      if (getSession().user !== before) continue
      setUser(user)
      return user
    }
  },
  staleTime: 5 * minute,
})

/** The user's sessions, most recently used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await request(endpoints.sessions, { signal })).sessions,
})

/** The last data copy, and when another one can be requested. Polled while one is being made. */
export const dataExportQuery = queryOptions({
  queryKey: ['data-export'],
  queryFn: ({ signal }) => request(endpoints.dataExport, { signal }),
  refetchInterval: ({ state }) => state.data?.dataExport?.state === 'collecting' && 3_000,
})

/** The user's storage, with its limits. */
export const chatUsageQuery = apiQuery(['usage'], endpoints.usage)

/** Plan and credits of the signed-in user. */
export const creditsQuery = apiQuery(['credits'], endpoints.credits, { staleTime: 30_000 })

/** Whether most of the month's credits are used without an acknowledgement. Nested under the credits' key, so that it is invalidated with them. */
export const creditWarningQuery = apiQuery([...creditsQuery.queryKey, 'warning'], endpoints.creditWarning, {
  staleTime: 30_000,
})

/** Prefix of the keys of all memory queries. */
export const memoryKey = ['memory'] as const

/** API keys of the signed-in user, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await request(endpoints.keys, { signal })).keys,
})

/** The user's usage since a day (`2030-01-31`, UTC), by model and by day. */
export const userUsageQuery = (from: string) => apiQuery(['user-usage', from], endpoints.userUsage, { query: { from } })

/** The receipts since a day, newest first, in pages. */
export const receiptsQuery = (from: string) =>
  infiniteQueryOptions({
    queryKey: ['receipts', from],
    queryFn: ({ pageParam, signal }) =>
      request(endpoints.receipts, { query: { from, limit: 25, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** The receipt of one generation. It never changes. */
export const receiptQuery = (generationId: string) =>
  apiQuery(['receipt', generationId], endpoints.receipt, {
    params: { generationId },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Models by provider and group. */
export const hierarchyQuery = apiQuery(['hierarchy'], endpoints.hierarchy, { staleTime: 10_000 })

/** Assumed while a visitor's allowance is unknown; only the server grants messages. */
const assumedGuest = (now: number): GuestSession => ({
  id: '',
  remainingMessages: 2,
  messageLimit: 2,
  nextResetDate: new Date(now + 7 * day).toISOString(),
})

/** A visitor's allowance; null when the server says that the visitor is not a guest. */
export const guestInfoQuery = queryOptions({
  queryKey: ['guest-info'],
  queryFn: async ({ signal }): Promise<GuestSession | null> => {
    try {
      return (await request(endpoints.guestInfo, { signal })).guestSession
    } catch (error) {
      if (isApiError(error) && error.status === 401) return null
      if (!isApiError(error)) throw error
      return assumedGuest(Date.now())
    }
  },
  staleTime: minute,
  // Without a network the allowance is assumed at once, and asked for when the network is back.
  networkMode: 'offlineFirst',
  refetchOnReconnect: 'always',
})

/** The options of sign-in and registration. */
export const authConfigQuery = apiQuery(['auth-config'], endpoints.authConfig, { staleTime: 5 * minute })

/** The tools of this installation. */
export const toolsQuery = apiQuery(['tools'], endpoints.tools, { staleTime: 5 * minute })
