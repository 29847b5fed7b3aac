import { AppError, notFound } from '@parley/kit'
import type { ChatStore } from './store/chat-store.ts'
import type { Chat, Send } from './store/entities.ts'

/** For an act on a chat in which an answer is being written. */
export const chatIsBusy = (): AppError =>
  new AppError('conflict', 'An answer is still being written in this chat. Please wait for it or stop it.')

/** The owner's chat. @throws AppError not_found for a missing one, and for another owner's */
export async function ownChat(chats: Pick<ChatStore, 'find'>, chatId: string, ownerId: string): Promise<Chat> {
  const chat = await chats.find(chatId, ownerId)
  if (chat === undefined) throw notFound()
  return chat
}

/** @throws AppError duplicate_message or conflict when the key of `own` was claimed by a request with another body */
export function refuseOtherBody(claimed: Send, own: Pick<Send, 'clientMessageId' | 'bodyHash'>): void {
  if (claimed.bodyHash === own.bodyHash) return
  if (own.clientMessageId !== null && claimed.clientMessageId === own.clientMessageId) {
    throw new AppError('duplicate_message', 'Another message was already sent under this clientMessageId')
  }
  throw new AppError('conflict', 'Another request was already made with this Idempotency-Key')
}
