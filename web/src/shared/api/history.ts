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

async function readPage(archived: boolean, cursor: string | null, signal: AbortSignal): Promise<HistoryPage> {
  const part = { ...(archived && { archived: 'true' }), ...(cursor !== null && { cursor }) }
  const query = { limit: pageSize, pinnedFirst: 'true', ...part }
  const response = await apiFetch(pathOf(endpoints.history, { query }), { signal })
  return { chats: (await readJson(response)) as ChatSummary[], nextCursor: response.headers.get('x-next-cursor') }
}

const listQuery = (archived: boolean) =>
  infiniteQueryOptions({
    // What is archived stands below the list's key, so that what changes the list renews it.
    queryKey: archived ? ['history', 'archived'] : ['history'],
    queryFn: ({ pageParam, signal }) => readPage(archived, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 30_000,
  })

/** The chats of the signed-in user in pages: pinned ones first, then the one written to last; without those that are archived. */
export const historyQuery = listQuery(false)

/** Those that are archived, in the same order. */
export const archiveQuery = listQuery(true)

/** The chats of all pages; one that moved while they were read is listed once. */
export const listedChats = ({ pages }: History): ChatSummary[] => [
  ...new Map(pages.flatMap(({ chats }) => chats).map((chat) => [chat._id, chat])).values(),
]

/** Changes the chats of each page that is there, archived ones too, before the server is asked again. @param change is told which page is the top of the list */
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
