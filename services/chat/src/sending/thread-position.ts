import { AppError, notFound } from '@parley/kit'
import type { Caller } from '../callers.ts'
import type { Common } from '../common.ts'
import type { Generation, ThreadMessage } from '../store/entities.ts'
import type { SendRequest } from './send-request.ts'

/** The chat and the position in its thread of a message and its answer. */
export interface ThreadPosition {
  readonly chatId: string
  /** The chat is made with the message. */
  readonly newChat: boolean
  readonly userMessageId: string
  /** The user message's parent; null for the first of a chat. */
  readonly parentId: string | null
  /** The message that must be the last one shown when the send is stored; null for an empty chat, undefined for no condition. */
  readonly follows?: string | null
  /** The message that is edited: what the edit does not name stays. */
  readonly edited?: ThreadMessage
  /** The answer that is continued. */
  readonly continues?: Generation
  /** Memories may be used: not in a guest's chat, nor where its owner has turned them off. */
  readonly memory: boolean
  /** The message's time: later than every other, whatever the clocks say. */
  readonly at: Date
}

/** Where positions are looked up. */
export type ThreadPositionDeps = Pick<Common, 'stores' | 'newId' | 'now'>

/**
 * Finds the position of a send; nothing is written.
 * @throws AppError not_found when the chat or the message does not exist or is another user's, conflict when the answer to redo is still being written
 */
export async function findThreadPosition(
  deps: ThreadPositionDeps,
  caller: Caller,
  request: SendRequest,
): Promise<ThreadPosition> {
  const { stores, newId, now } = deps
  const { chats, messages } = stores
  const { chatId } = request
  if (request.kind === 'continue') return await positionOfContinued(deps, caller, request)
  if (chatId === undefined) {
    const isUser = caller.kind === 'user'
    return { chatId: newId(), newChat: isUser, userMessageId: newId(), parentId: null, memory: isUser, at: now() }
  }
  // Side by side: what is read of another user's chat goes no further than this.
  const [chat, [newest]] = await Promise.all([chats.find(chatId, caller.ownerId), messages.path(chatId, 'shown', 1)])
  if (chat === undefined) throw notFound()
  const at = new Date(Math.max(now().getTime(), (newest?.createdAt.getTime() ?? 0) + 1))
  const here = { chatId, newChat: false, memory: chat.memoryOff !== true, at }
  if (request.kind === 'message') return { ...here, userMessageId: newId(), ...behind(newest?.id ?? null) }
  const target = await messages.find(chatId, request.messageId)
  if (target === undefined || target.role !== (request.kind === 'edit' ? 'user' : 'assistant')) throw notFound()
  if (request.kind === 'edit') return { ...here, userMessageId: newId(), parentId: target.parentId, edited: target }
  if (target.status === 'generating') throw new AppError('conflict', 'This answer is still being written.')
  const question = target.parentId === null ? undefined : await messages.find(chatId, target.parentId)
  if (question === undefined) throw notFound()
  return { ...here, userMessageId: question.id, parentId: question.parentId }
}

async function positionOfContinued(
  { stores: { chats, generations }, now }: ThreadPositionDeps,
  { ownerId }: Caller,
  { chatId, messageId }: Extract<SendRequest, { kind: 'continue' }>,
): Promise<ThreadPosition> {
  const chat = chatId === undefined ? undefined : await chats.find(chatId, ownerId)
  if (chatId !== undefined && chat === undefined) throw notFound()
  const answer = await generations.find(messageId, ownerId)
  if (answer === undefined || answer.id !== messageId || (chatId ?? answer.chatId) !== answer.chatId) throw notFound()
  return {
    ...{ chatId: answer.chatId, newChat: false, userMessageId: answer.parentId, parentId: null },
    ...{ continues: answer, memory: chat !== undefined && chat.memoryOff !== true, at: now() },
  }
}

const behind = (messageId: string | null) => ({ parentId: messageId, follows: messageId })
