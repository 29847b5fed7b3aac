import type { ChatSummary } from '@parley/contracts'
import type { Common } from '../common.ts'
import { type ListRequest, pageOfChats } from '../history/list-chats.ts'
import { presentChat } from '../present.ts'
import type { Chat } from '../store/entities.ts'
import type { SearchHit } from '../store/search-store.ts'
import { fold } from './search-text.ts'
import { snippetOf } from './snippet.ts'

/** Chats that a search shows, at most. */
const mostFound = 100
/** Messages that are read at once for their words, each of up to some megabytes. */
const readAtOnce = 10

/** The stores that are searched. */
export type SearchDeps = Pick<Common['stores'], 'chats' | 'messages' | 'search'>

/** The owner's chats whose title or a message contains the words literally, in any case; archived ones or the others, the one written to last first, at most 100. */
export async function searchChats(
  deps: SearchDeps,
  ownerId: string,
  words: string,
  { archived = false, ...request }: Pick<ListRequest, 'limit' | 'cursor' | 'archived'> = {},
) {
  const folded = fold(words)
  const [titles, hits] = await Promise.all([
    deps.chats.titles(ownerId),
    deps.search.find(ownerId, folded, mostFound, archived),
  ])
  const isWanted = (chat: Pick<Chat, 'archived'>) => (chat.archived === true) === archived
  const titled = titles.filter((chat) => isWanted(chat) && fold(chat.title).includes(folded)).map(({ id }) => id)
  const firstHits = new Map(hits.toReversed().map((hit) => [hit.chatId, hit]))
  const some = await deps.chats.findMany(ownerId, [...new Set([...titled.slice(0, mostFound), ...firstHits.keys()])])
  const found = some.filter(isWanted)
  const { chats: shown, nextCursor } = pageOfChats(found.slice(0, mostFound), request)
  const matches = await matchesOf(deps, shown, firstHits, folded)
  const chats = shown.map((chat) => {
    const match = matches.get(chat.id)
    return { ...presentChat(chat), ...(match && { match }) }
  })
  return { chats, nextCursor }
}

async function matchesOf(
  { messages }: SearchDeps,
  chats: readonly Chat[],
  hits: ReadonlyMap<string, SearchHit>,
  folded: string,
): Promise<Map<string, NonNullable<ChatSummary['match']>>> {
  const ids = chats.flatMap(({ id }) => hits.get(id)?.messageId ?? [])
  const matches = new Map<string, NonNullable<ChatSummary['match']>>()
  for (let from = 0; from < ids.length; from += readAtOnce) {
    for (const { id, chatId, content } of await messages.contents(ids.slice(from, from + readAtOnce)))
      matches.set(chatId, { messageId: id, snippet: snippetOf(content, folded) })
  }
  return matches
}
