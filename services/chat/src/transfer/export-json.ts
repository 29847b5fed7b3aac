import { presentMessage } from '../present.ts'
import type { Chat } from '../store/entities.ts'
import type { MessageStore } from '../store/message-store.ts'
import { exportFormat } from './export-format.ts'
import { inPortions, portionsOf } from './portions.ts'

/**
 * A chat with every version of its thread as the pieces of a JSON file, read from the store as they are taken: its format, the chat, of which `shown` is the
 * last message of the version that is shown, and its messages.
 */
export async function* exportJson(messages: MessageStore, chat: Chat): AsyncGenerator<string> {
  const { id, title, modelUsed: model, leafId: shown } = chat
  const [createdAt, updatedAt] = [chat.createdAt.toISOString(), chat.updatedAt.toISOString()]
  const head = JSON.stringify({ ...exportFormat, chat: { id, title, model, createdAt, updatedAt, shown } })
  yield `${head.slice(0, -1)},"messages":[`
  let separator = ''
  for await (const portion of inPortions(messages, id, await allOf(messages, id))) {
    for (const message of portion) {
      yield `${separator}\n${JSON.stringify(presentMessage(message))}`
      separator = ','
    }
  }
  yield '\n]}\n'
}

/** Apart, so that the outline is not kept for as long as the reader takes. */
const allOf = async (messages: MessageStore, chatId: string) => portionsOf(await messages.outline(chatId))
