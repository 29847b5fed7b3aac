import type { ChatSummary } from '@parley/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { endpoints, historyQuery, request } from '../api/index.ts'
import { useRested } from './use-rested.ts'

/** UTF-16 units that the server takes. */
const maxQuery = 200

/** What a search found; `chats` is undefined until something was searched for. */
export interface ChatSearch {
  readonly chats: readonly ChatSummary[] | undefined
  /** What `chats` were found for is not yet what is asked for. */
  readonly pending: boolean
  readonly error: unknown
}

/** Searches titles and messages of the signed-in user for what is being typed, in archived chats or in the others. A blank query finds nothing; `enabled` is false for guests. */
export function useChatSearch(typed: string, { archived = false, enabled = true } = {}): ChatSearch {
  const wanted = typed.trim().slice(0, maxQuery)
  const query = useRested(wanted)
  const { data, error, isFetching } = useQuery({
    // Below the list's key, so that what changes the list renews the search.
    queryKey: [...historyQuery.queryKey, 'search', archived, query],
    queryFn: ({ signal }) =>
      request(endpoints.history, { query: { query, ...(archived && { archived: 'true' }) }, signal }),
    enabled: enabled && query !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const chats = wanted === '' || query === '' ? undefined : data
  return { chats, pending: wanted !== query || isFetching, error: chats === undefined ? error : null }
}
