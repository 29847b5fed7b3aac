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

/** The signed-in user as the server has it; the session takes it over. */
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

/** Where the person is signed in, the browser that was used last first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await request(endpoints.sessions, { signal })).sessions,
})

/** The last copy of the person's data, and when another one can be asked for. Asked often while one is put together. */
export const dataExportQuery = queryOptions({
  queryKey: ['data-export'],
  queryFn: ({ signal }) => request(endpoints.dataExport, { signal }),
  refetchInterval: ({ state }) => state.data?.dataExport?.state === 'collecting' && 3_000,
})

/** What the signed-in user keeps and may keep. */
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

/** Whether most of the month's credits are used and the user does not know yet. Its key begins with that of the credits, so that it is renewed with them. */
export const creditWarningQuery = queryOptions({
  queryKey: [...creditsQuery.queryKey, 'warning'],
  queryFn: ({ signal }) => request(endpoints.creditWarning, { signal }),
  staleTime: 30_000,
})

/** With what the keys of all queries about memory begin. */
export const memoryKey = ['memory'] as const

/** API keys of the signed-in user, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await request(endpoints.keys, { signal })).keys,
})

/** What the signed-in user used since a day (`2030-01-31`, UTC), by model and by day. */
export const userUsageQuery = (from: string) =>
  queryOptions({
    queryKey: ['user-usage', from],
    queryFn: ({ signal }) => request(endpoints.userUsage, { query: { from }, signal }),
  })

/** What each generation since a day cost and why, newest first, page by page. */
export const receiptsQuery = (from: string) =>
  infiniteQueryOptions({
    queryKey: ['receipts', from],
    queryFn: ({ pageParam, signal }) =>
      request(endpoints.receipts, { query: { from, limit: 25, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** What one generation cost and why. It never changes. */
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

/** What a visitor is shown while the allowance cannot be asked; the server alone grants messages. */
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
})

/** What sign-in and registration offer. */
export const authConfigQuery = queryOptions({
  queryKey: ['auth-config'],
  queryFn: ({ signal }) => request(endpoints.authConfig, { signal }),
  staleTime: 5 * minute,
})

/** Which tools this installation has. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => request(endpoints.tools, { signal }),
  staleTime: 5 * minute,
})
