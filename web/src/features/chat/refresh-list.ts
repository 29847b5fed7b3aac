import type { QueryClient } from '@tanstack/react-query'
import { historyQuery } from '../../shared/api/index.ts'

/** Milliseconds before the list is refetched after a new chat; the chat has a title by then. */
const delayMs = 500

/** Refetches the list shortly after a new chat was created. */
export function refreshListSoon(client: QueryClient): void {
  setTimeout(() => void client.invalidateQueries({ queryKey: historyQuery.queryKey }), delayMs)
}
