import type { GuestSession } from '@parley/contracts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getSession, setUser } from '../session/index.ts'
import { endpoints, request } from './endpoints.ts'
import { isApiError } from './error.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A chat with its latest messages. */
export const chatQuery = (id: string) =>
  queryOptions({
    queryKey: ['chat', id],
    queryFn: ({ signal }) => request(endpoints.chat, { params: { id }, signal }),
    staleTime: 10_000,
  })

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
export const chatUsageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => request(endpoints.usage, { signal }),
})

/** Plan and credits of the signed-in user. */
export const creditsQuery = queryOptions({
  queryKey: ['credits'],
  queryFn: ({ signal }) => request(endpoints.credits, { signal }),
  staleTime: 30_000,
})

/** Whether most of the month's credits are used without an acknowledgement. Nested under the credits' key, so that it is invalidated with them. */
export const creditWarningQuery = queryOptions({
  queryKey: [...creditsQuery.queryKey, 'warning'],
  queryFn: ({ signal }) => request(endpoints.creditWarning, { signal }),
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
export const userUsageQuery = (from: string) =>
  queryOptions({
    queryKey: ['user-usage', from],
    queryFn: ({ signal }) => request(endpoints.userUsage, { query: { from }, signal }),
  })

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
  queryOptions({
    queryKey: ['receipt', generationId],
    queryFn: ({ signal }) => request(endpoints.receipt, { params: { generationId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Models by provider and group. */
export const hierarchyQuery = queryOptions({
  queryKey: ['hierarchy'],
  queryFn: ({ signal }) => request(endpoints.hierarchy, { signal }),
  staleTime: 10_000,
})

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
export const authConfigQuery = queryOptions({
  queryKey: ['auth-config'],
  queryFn: ({ signal }) => request(endpoints.authConfig, { signal }),
  staleTime: 5 * minute,
})

/** The tools of this installation. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => request(endpoints.tools, { signal }),
  staleTime: 5 * minute,
})
