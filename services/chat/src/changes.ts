import type { Signal } from '@parley/cache'
import type { SignalPayload } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Chat } from './store/documents.ts'

/** Tells the user's other windows that a chat changed, after it was stored. What cannot be told is found with the next look, so nothing here fails. */
export interface ChatChanges {
  /** It is new, restored, renamed or pinned; with `lastMessageId`, another version of its thread is shown. */
  updated(chat: Pick<Chat, 'id' | 'ownerId' | 'title' | 'updatedAt'>, lastMessageId?: string): Promise<void>
  deleted(userId: string, chatIds: readonly string[]): Promise<void>
  /** This message was added, ended or changed. */
  message(userId: string, chatId: string, messageId: string): Promise<void>
  /** This answer began. */
  generation(userId: string, chatId: string, messageId: string): Promise<void>
}

/** Changes told by the signal `chat-changed`. */
export function createChatChanges(signal: Pick<Signal, 'publish'>, log: Logger): ChatChanges {
  const tell = async (change: SignalPayload<'chat-changed'>): Promise<void> => {
    await signal.publish('chat-changed', change).catch((error: unknown) => {
      log.warn({ err: error, chatId: change.chatId }, 'a change of a chat could not be signalled')
    })
  }
  return {
    updated: ({ id, ownerId, title, updatedAt }, lastMessageId) =>
      tell({
        userId: ownerId,
        chatId: id,
        kind: 'updated',
        title,
        updatedAt: updatedAt.toISOString(),
        ...(lastMessageId !== undefined && { messageId: lastMessageId }),
      }),
    async deleted(userId, chatIds) {
      for (const chatId of chatIds) await tell({ userId, chatId, kind: 'deleted' })
    },
    message: (userId, chatId, messageId) => tell({ userId, chatId, kind: 'message', messageId }),
    generation: (userId, chatId, messageId) => tell({ userId, chatId, kind: 'generation', messageId }),
  }
}
