import type { ChatSummary } from '@parley/contracts'
import { presentChat } from '../present.ts'
import type { ChatStore } from '../store/chat-store.ts'
import type { Chat } from '../store/documents.ts'
import type { MessageStore } from '../store/message-store.ts'
import type { SearchHit, SearchStore } from '../store/search-store.ts'
import { fold } from './search-text.ts'
import { snippetOf } from './snippet.ts'

/** Chats that a search shows, at most. */
const mostFound = 100

/** What searching uses. */
export interface SearchDeps {
  readonly chats: Pick<ChatStore, 'titles' | 'some'>
  readonly messages: Pick<MessageStore, 'contents'>
  readonly search: Pick<SearchStore, 'find'>
}

/** The owner's chats whose title or a message contains the words literally, in any case; the one written to last first, at most 100. */
export async function searchChats(deps: SearchDeps, ownerId: string, words: string): Promise<ChatSummary[]> {
  const folded = fold(words)
  const [titles, hits] = await Promise.all([deps.chats.titles(ownerId), deps.search.find(ownerId, folded, mostFound)])
  const titled = titles.filter(({ title }) => fold(title).includes(folded)).map(({ id }) => id)
  const firstHits = new Map(hits.toReversed().map((hit) => [hit.chatId, hit]))
  const found = await deps.chats.some(ownerId, [...new Set([...titled.slice(0, mostFound), ...firstHits.keys()])])
  const shown = found.slice(0, mostFound)
  const matches = await matchesOf(deps, shown, firstHits, folded)
  return shown.map((chat) => {
    const match = matches.get(chat.id)
    return { ...presentChat(chat), ...(match && { match }) }
  })
}

async function matchesOf(
  { messages }: SearchDeps,
  chats: readonly Chat[],
  hits: ReadonlyMap<string, SearchHit>,
  folded: string,
): Promise<Map<string, NonNullable<ChatSummary['match']>>> {
  const ids = chats.flatMap(({ id }) => hits.get(id)?.messageId ?? [])
  const contents = await messages.contents(ids)
  return new Map(
    contents.map(({ id, chatId, content }) => [chatId, { messageId: id, snippet: snippetOf(content, folded) }]),
  )
}
