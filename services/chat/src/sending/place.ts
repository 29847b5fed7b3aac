import type { Clock, NewId } from '@parley/kit'
import { AppError, notFound } from '@parley/kit'
import type { Caller } from '../callers.ts'
import type { ChatStore } from '../store/chat-store.ts'
import type { ThreadMessage } from '../store/documents.ts'
import type { MessageStore } from '../store/message-store.ts'
import type { SendRequest } from './send-request.ts'

/** Where in which chat a message and its answer go. */
export interface Place {
  readonly chatId: string
  /** The chat is made with the message. */
  readonly newChat: boolean
  readonly userMessageId: string
  /** Of the user message; null for the first of a chat. */
  readonly parentId: string | null
  /** The message that has to be the last one shown of the chat when the send is stored; null for none. Left out, it may be any. */
  readonly follows?: string | null
  /** The message that is edited: what the edit does not name stays. */
  readonly edited?: ThreadMessage
  /** When the message counts as written: later than all there are, whatever the clocks say. */
  readonly at: Date
}

/** What finding a place uses. */
export interface PlaceDeps {
  readonly chats: ChatStore
  readonly messages: MessageStore
  readonly newId: NewId
  readonly now: Clock
}

/**
 * Finds where a send goes; nothing is written.
 * @throws AppError not_found when the chat or the message does not exist or is another user's, conflict when the answer to redo is still being written
 */
export async function findPlace(deps: PlaceDeps, caller: Caller, request: SendRequest): Promise<Place> {
  const { chats, messages, newId, now } = deps
  const { chatId } = request
  if (chatId === undefined) {
    return { chatId: newId(), newChat: caller.kind === 'user', userMessageId: newId(), parentId: null, at: now() }
  }
  const chat = await chats.find(chatId, caller.ownerId)
  if (chat === undefined) throw notFound()
  const [newest] = await messages.path(chatId, 'shown', 1)
  const at = new Date(Math.max(now().getTime(), (newest?.createdAt.getTime() ?? 0) + 1))
  const here = { chatId, newChat: false, at }
  if (request.kind === 'message') return { ...here, userMessageId: newId(), ...behind(newest?.id ?? null) }
  const target = await messages.find(chatId, request.messageId)
  if (target === undefined || target.role !== (request.kind === 'edit' ? 'user' : 'assistant')) throw notFound()
  if (request.kind === 'edit') return { ...here, userMessageId: newId(), parentId: target.parentId, edited: target }
  if (target.status === 'generating') throw new AppError('conflict', 'This answer is still being written.')
  const question = target.parentId === null ? undefined : await messages.find(chatId, target.parentId)
  if (question === undefined) throw notFound()
  return { ...here, userMessageId: question.id, parentId: question.parentId }
}

const behind = (messageId: string | null) => ({ parentId: messageId, follows: messageId })
