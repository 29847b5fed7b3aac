import type { ChatSummary } from '@parley/contracts'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { endpoints } from './endpoints.ts'
import { apiFetch, pathOf, readJson } from './http.ts'

/** A page of the signed-in user's chats, with the cursor of the next one; null on the last page. */
export interface HistoryPage {
  readonly chats: readonly ChatSummary[]
  readonly nextCursor: string | null
}
type History = InfiniteData<HistoryPage, string | null>

/** Page size; the server's maximum. */
const pageSize = 200

async function readPage(archived: boolean, cursor: string | null, signal: AbortSignal): Promise<HistoryPage> {
  const part = { ...(archived && { archived: 'true' }), ...(cursor !== null && { cursor }) }
  const query = { limit: pageSize, pinnedFirst: 'true', ...part }
  const response = await apiFetch(pathOf(endpoints.history, { query }), { signal })
  return { chats: (await readJson(response)) as ChatSummary[], nextCursor: response.headers.get('x-next-cursor') }
}

const listQuery = (archived: boolean) =>
  infiniteQueryOptions({
    // A prefix of the archive's key, so that invalidating the list also invalidates the archive.
    queryKey: archived ? ['history', 'archived'] : ['history'],
    queryFn: ({ pageParam, signal }) => readPage(archived, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 30_000,
  })

/** The signed-in user's chats in pages, without archived ones: pinned first, then by the last message. */
export const historyQuery = listQuery(false)

/** The archived chats, in the same order. */
export const archiveQuery = listQuery(true)

/** The chats of all pages; one that moved between pages during loading is listed once. */
export const listedChats = ({ pages }: History): ChatSummary[] => [
  ...new Map(pages.flatMap(({ chats }) => chats).map((chat) => [chat._id, chat])).values(),
]

/** Updates chats on the cached pages, including the archive, optimistically. @param change gets whether the page is the first of the list */
export function changeListed(
  client: QueryClient,
  change: (chats: readonly ChatSummary[], isTop: boolean) => readonly ChatSummary[],
): void {
  for (const query of [historyQuery, archiveQuery]) {
    const pageOf = (page: HistoryPage, nth: number) => {
      return { ...page, chats: change(page.chats, nth === 0 && query === historyQuery) }
    }
    client.setQueryData(query.queryKey, (history) => history && { ...history, pages: history.pages.map(pageOf) })
  }
}
