import type { chatRoutes } from '@parley/contracts'
import { validationFailed } from '@parley/kit'
import type { z } from 'zod'
import { type ChatStore, type ListPart, mostListed } from '../store/chat-store.ts'
import type { Chat } from '../store/entities.ts'

/** The requested part of the list: all of it, up to 10,000 chats, unless `limit` is given. */
export type ListRequest = Omit<z.output<typeof chatRoutes.history.query & {}>, 'query'>

/** Where a page begins: after this chat, within the pinned ones or the others when these are listed separately. */
type ListCursor = Pick<Chat, 'id' | 'updatedAt'> & Pick<Partial<Chat>, 'pinned'>

/** A page of an owner's chats, the one written to last first. @throws AppError validation_failed for a cursor that no list of this order gave out */
export async function listChats(
  chats: Pick<ChatStore, 'list'>,
  ownerId: string,
  { limit = mostListed, cursor, pinnedFirst = false, archived }: ListRequest,
) {
  const after = readCursor(cursor, pinnedFirst)
  // One more tells whether anything follows.
  const wanted = limit + 1
  const found: Chat[] = []
  for (const part of partsBehind(after, pinnedFirst)) {
    if (found.length < wanted)
      found.push(...(await chats.list(ownerId, { ...part, archived, limit: wanted - found.length })))
  }
  return pageOf(found, limit, pinnedFirst)
}

/** A page of chats that are all known, in the order of the list. @throws AppError as `listChats` */
export function pageOfChats(known: readonly Chat[], { limit = mostListed, cursor }: ListRequest) {
  const after = readCursor(cursor, false)
  return pageOf(after === undefined ? known : known.filter((chat) => isBehind(chat, after)), limit, false)
}

function partsBehind(cursor: ListCursor | undefined, pinnedFirst: boolean): ListPart[] {
  if (!pinnedFirst) return [{ after: cursor }]
  if (cursor?.pinned === false) return [{ pinned: false, after: cursor }]
  return [{ pinned: true, after: cursor }, { pinned: false }]
}

/** Some chats of a list, and where the next ones are; null behind the last one. */
function pageOf(found: readonly Chat[], limit: number, pinnedFirst: boolean) {
  const chats = found.slice(0, limit)
  const last = chats.at(-1)
  return { chats, nextCursor: last === undefined || found.length <= limit ? null : cursorOf(last, pinnedFirst) }
}

const isBehind = (chat: Chat, { id, updatedAt }: ListCursor): boolean => {
  const difference = chat.updatedAt.getTime() - updatedAt.getTime()
  return difference < 0 || (difference === 0 && chat.id < id)
}

const cursorOf = ({ id, updatedAt, pinned }: Chat, pinnedFirst: boolean): string =>
  `${pinnedFirst ? Number(pinned) : 'a'}.${updatedAt.getTime()}.${id}`

function readCursor(cursor: string | undefined, pinnedFirst: boolean): ListCursor | undefined {
  if (cursor === undefined) return undefined
  const [, part, time, id = ''] = /^([a01])\.(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (part === undefined || (part !== 'a') !== pinnedFirst) {
    throw validationFailed([{ path: 'cursor', message: 'Unknown cursor' }])
  }
  return { id, updatedAt: new Date(Number(time)), ...(pinnedFirst && { pinned: part === '1' }) }
}
