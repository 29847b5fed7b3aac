import type { QueryClient } from '@tanstack/react-query'
import { historyQuery } from '../../shared/api/index.ts'

/** Milliseconds after a new chat until the list of chats is asked for again; its title is there by then. */
const delayMs = 500

/** Has the list of chats asked for again a moment after a chat began. */
export function refreshListSoon(client: QueryClient): void {
  setTimeout(() => void client.invalidateQueries({ queryKey: historyQuery.queryKey }), delayMs)
}
