import type { ChatSummary } from '@parley/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { endpoints, historyQuery, request } from '../api/index.ts'
import { useRested } from './use-rested.ts'

/** The server's limit in UTF-16 units. */
const maxQuery = 200

/** The result of a search; `chats` is undefined before the first one. */
export interface ChatSearch {
  readonly chats: readonly ChatSummary[] | undefined
  /** Whether `chats` belong to an earlier query, or are being refreshed. */
  readonly pending: boolean
  readonly error: unknown
}

/** Searches the user's titles and messages while typing, in archived or other chats. A blank query finds nothing; `enabled` is false for guests. */
export function useChatSearch(typed: string, { archived = false, enabled = true } = {}): ChatSearch {
  const wanted = typed.trim().slice(0, maxQuery)
  const query = useRested(wanted)
  const { data, error, fetchStatus } = useQuery({
    // Nested under the list's key, so that invalidating the list also renews the search.
    queryKey: [...historyQuery.queryKey, 'search', archived, query],
    queryFn: ({ signal }) =>
      request(endpoints.history, { query: { query, ...(archived && { archived: 'true' }) }, signal }),
    enabled: enabled && query !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const chats = wanted === '' || query === '' ? undefined : data
  // Offline, the search waits for the network.
  const pending = wanted !== query || fetchStatus !== 'idle'
  return { chats, pending, error: chats === undefined ? error : null }
}
