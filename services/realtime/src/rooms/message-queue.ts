import type { Message } from '@parley/contracts'
import { type Logger, retryWithBackoff } from '@parley/kit'
import type { ChatReader, ChatRef } from './chat-reader.ts'

/** The changed messages of a chat, in the order of their changes. */
export interface MessageQueue {
  /** Reads a message, and then acts on it; one at a time. Retries until chat answers; ignored if there is no such message. */
  take(messageId: string, act: (message: Message) => void | Promise<void>): void
}

/** Ends when the signal does. */
export function createMessageQueue(
  { chats, log }: { readonly chats: ChatReader; readonly log: Logger },
  chat: ChatRef,
  signal: AbortSignal,
): MessageQueue {
  let order = Promise.resolve()
  return {
    take(messageId, act) {
      const readAndAct = async (): Promise<void> => {
        const message = await chats.message(chat, messageId)
        if (message !== undefined && !signal.aborted) await act(message)
      }
      const what = 'message of a chat'
      order = order.then(() => retryWithBackoff({ what, act: readAndAct, log, signal })).then(() => undefined)
    },
  }
}
