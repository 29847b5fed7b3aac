import type { ThreadMessage } from '../store/entities.ts'
import { bytesAtOnce, type MessageStore, type OutlineEntry } from '../store/message-store.ts'

const atOnce = 100

type Sized = Pick<OutlineEntry, 'id' | 'bytes'>

/** Ids of messages, as many together as are read at once. */
type Portions = readonly (readonly string[])[]

/** These messages of a chat, some at a time, so that a long chat is never in memory as a whole. */
export async function* inPortions(
  messages: Pick<MessageStore, 'findMany'>,
  chatId: string,
  portions: Portions,
): AsyncGenerator<readonly ThreadMessage[]> {
  for (const ids of portions) yield await messages.findMany(chatId, ids)
}

/** The portions in which these messages are read. */
export function portionsOf(entries: readonly Sized[]): Portions {
  const portions: string[][] = []
  let size = 0
  for (const { id, bytes } of entries) {
    const portion = portions.at(-1)
    size += bytes
    if (portion !== undefined && portion.length < atOnce && size <= bytesAtOnce) portion.push(id)
    else {
      portions.push([id])
      size = bytes
    }
  }
  return portions
}
