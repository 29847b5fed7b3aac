import type { ChatSummary } from '@parley/contracts'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { endpoints } from './endpoints.ts'
import { apiFetch, pathOf, readJson } from './http.ts'

/** Some of the signed-in user's chats, and where the next ones are; null behind the last. */
export interface HistoryPage {
  readonly chats: readonly ChatSummary[]
  readonly nextCursor: string | null
}
type History = InfiniteData<HistoryPage, string | null>

/** Chats that are asked for at once; the server's most. */
const pageSize = 200

async function readPage(cursor: string | null, signal: AbortSignal): Promise<HistoryPage> {
  const query = { limit: pageSize, pinnedFirst: 'true', ...(cursor !== null && { cursor }) }
  const response = await apiFetch(pathOf(endpoints.history, { query }), { signal })
  return { chats: (await readJson(response)) as ChatSummary[], nextCursor: response.headers.get('x-next-cursor') }
}

/** The chats of the signed-in user in pages: pinned ones first, then the one written to last. */
export const historyQuery = infiniteQueryOptions({
  queryKey: ['history'],
  queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: 30_000,
})

/** The chats of all pages; one that moved while they were read is listed once. */
export const listedChats = ({ pages }: History): ChatSummary[] => [
  ...new Map(pages.flatMap(({ chats }) => chats).map((chat) => [chat._id, chat])).values(),
]

/** Changes the chats of each page that is there, before the server is asked again. */
export function changeListed(
  client: QueryClient,
  change: (chats: readonly ChatSummary[], page: number) => readonly ChatSummary[],
): void {
  client.setQueryData(
    historyQuery.queryKey,
    (history) =>
      history && { ...history, pages: history.pages.map((page, nth) => ({ ...page, chats: change(page.chats, nth) })) },
  )
}
