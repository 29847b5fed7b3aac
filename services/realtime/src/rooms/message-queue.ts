import type { Message } from '@parley/contracts'
import { isUnavailable, type Logger, pause, retryWithBackoff } from '@parley/kit'
import type { ChatReader, ChatRef } from './chat-reader.ts'

/** The changed messages of a chat, in the order of their changes. Ends when the signal does. */
export function createMessageQueue(
  { chats, log }: { readonly chats: ChatReader; readonly log: Logger },
  chat: ChatRef,
  signal: AbortSignal,
) {
  let order = Promise.resolve()
  return {
    /**
     * Reads a message, and then acts on it; one at a time. Retries while chat is unavailable; ignored if there is no such message, and skipped if it cannot
     * be read otherwise, such as one in a form that only a later version knows.
     * @param afterMs of a pause before it is read; pauses of several messages run at the same time
     */
    take(messageId: string, act: (message: Message) => void | Promise<void>, afterMs = 0): void {
      const readAndAct = async (): Promise<void> => {
        try {
          const message = await chats.message(chat, messageId)
          if (message !== undefined && !signal.aborted) await act(message)
        } catch (error) {
          if (isUnavailable(error)) throw error
          // It would fail again, and hold up every message after it.
          log.error({ err: error, chatId: chat.chatId, messageId }, 'a message of a chat was skipped')
        }
      }
      const what = 'message of a chat'
      const paused = afterMs > 0 ? pause(afterMs, signal) : undefined
      order = order
        .then(() => paused)
        .then(() => retryWithBackoff({ what, act: readAndAct, log, signal }))
        .then(() => undefined)
    },
  }
}
