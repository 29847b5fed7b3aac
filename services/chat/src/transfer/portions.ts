import type { ThreadMessage } from '../store/entities.ts'
import type { MessageStore } from '../store/message-store.ts'

const atOnce = 100

/** These messages of a chat, some at a time, so that a long chat is never in memory as a whole. */
export async function* inPortions(
  messages: Pick<MessageStore, 'findMany'>,
  chatId: string,
  ids: readonly string[],
): AsyncGenerator<readonly ThreadMessage[]> {
  for (let from = 0; from < ids.length; from += atOnce)
    yield await messages.findMany(chatId, ids.slice(from, from + atOnce))
}
