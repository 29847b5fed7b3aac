import type { Attachment, ModelInfo, SendBody } from '@parley/contracts'
import { validationFailed } from '@parley/kit'
import type { Requesting, UserCaller } from '../callers.ts'
import { decideContinue } from '../generation/continuation.ts'
import { replayedMs } from '../generation/replay.ts'
import { chatIsBusy } from '../refusals.ts'
import type { Send } from '../store/entities.ts'
import type { Turn } from '../store/generation-store.ts'
import type { SendKeys } from '../store/send-store.ts'
import { chatTitle } from '../text/chat-title.ts'
import type { Untitled } from '../titles/titler.ts'
import type { SendRequest } from './send-request.ts'
import type { ThreadPosition } from './thread-position.ts'

/** A validated send with its ids. */
export interface AcceptedSend {
  readonly caller: Requesting
  readonly body: SendBody
  readonly request: SendRequest
  readonly model: ModelInfo
  readonly position: ThreadPosition
  /** The answer's id; if it is continued, its generation's. */
  readonly messageId: string
  /** Stored for this send; empty before it begins. */
  readonly attachments: readonly Attachment[]
  /** Rejects when there is no room for the message; asked for while the send is claimed. */
  readonly room: Promise<void>
}

/** What identifies a repeated send, and tells it from another one under the same keys. */
export type KeyedSend = SendKeys & Pick<Send, 'bodyHash'>

/** The record by which a repeat is recognised. */
export function sendOf({ position, messageId }: AcceptedSend, keys: KeyedSend & Pick<Send, 'id' | 'createdAt'>): Send {
  const { chatId, userMessageId, parentId } = position
  return { ...keys, chatId, userMessageId, messageId, parentId }
}

/** The question to be stored and, for a new chat, the chat; empty where the question is stored already. */
export function turnOf({ ownerId }: UserCaller, { body, request, position, model, attachments }: AcceptedSend): Turn {
  const { chatId, userMessageId, parentId, at, newChat, follows } = position
  if (!('text' in request)) return {}
  const { text, modes = position.edited?.modes ?? [] } = request
  const asked = { id: userMessageId, chatId, ownerId, parentId, content: text, attachments, modes }
  const message = { ...asked, model: model.id, clientMessageId: body.clientMessageId ?? null, createdAt: at }
  if (!newChat) return { message, follows }
  const chat = { id: chatId, ownerId, title: titleOf(body, text), modelUsed: model.id, pinned: false, messageCount: 0 }
  return { message, newChat: { ...chat, leafId: null, createdAt: at, updatedAt: at } }
}

/** The new chat that a model is to title; undefined for all others. */
export function untitledOf({ caller, body, request, position }: AcceptedSend): Untitled | undefined {
  if (caller.kind === 'guest' || !position.newChat || request.kind !== 'message' || body.title?.trim()) return undefined
  const { text: question } = request
  return { id: position.chatId, ownerId: caller.ownerId, title: chatTitle(question), question }
}

const titleOf = ({ title }: SendBody, text: string): string => title?.trim() || chatTitle(text)

/**
 * The generation that answers a send, its first event and, if it continues an answer, the content so far.
 * @throws AppError conflict while the answer is generating, validation_failed when it cannot be continued
 */
export function newGenerationOf({ caller, body, request, position, model, messageId }: AcceptedSend) {
  const { chatId, userMessageId, at, continues } = position
  const continuation = continues && decideContinue(continues, messageId, at)
  if (continues !== undefined && continuation === undefined) {
    throw continues.ending === null
      ? chatIsBusy()
      : validationFailed([{ path: 'continueMessageId', message: 'This answer is not one to continue' }])
  }
  const id = continues?.id ?? messageId
  const guest = caller.kind === 'guest' ? { sessionId: caller.sessionId, network: caller.network } : null
  const isNew = position.newChat && request.kind === 'message'
  const start = {
    chatId,
    messageId: id,
    userMessageId,
    model: model.id,
    ...(continuation && { generationId: messageId }),
    ...(isNew && { event: 'new_chat_created' as const, title: titleOf(body, request.text) }),
  }
  const free = caller.kind === 'user' && caller.admin
  // Later than the message, so that the newest message of a chat is never ambiguous.
  const createdAt = continues?.createdAt ?? new Date(at.getTime() + 1)
  const generation = {
    id,
    chatId,
    ownerId: caller.ownerId,
    parentId: userMessageId,
    model: model.id,
    price: free ? 0 : model.creditsPerMessage,
    guest,
    opening: [start],
    createdAt,
    expiresAt: guest === null ? null : (continues?.expiresAt ?? new Date(at.getTime() + replayedMs)),
    continued: continuation?.continued ?? null,
  }
  return { start, generation, seed: continuation?.seed }
}
