import { createHash } from 'node:crypto'
import { guestModelId, maxMessageLength, maxTitleLength, modelIdSchema } from '@parley/contracts'
import { plainEnding, plainMessage } from '../history/plain-message.ts'
import type { Chat, Ending, ThreadMessage } from '../store/entities.ts'
import { chatTitle } from '../text/chat-title.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { sanitizedText } from '../text/sanitize.ts'
import { type Planted, plantTree } from './import-tree.ts'
import type { SourceChat, SourceMessage } from './imported-chat.ts'

/** UTF-16 units of an answer that are kept. */
const maxAnswerLength = 1_000_000

/** A chat as it is stored, with every message. */
export interface PlannedChat {
  readonly chat: Chat
  readonly messages: readonly ThreadMessage[]
}

/**
 * The stored form of an imported chat; undefined when it has no message. Its ids are derived from the owner and the ids of the file, so that a
 * second import leads to the same chat, and no other owner's import does.
 * @param kind names the program that the file comes from
 */
export function planImport(ownerId: string, kind: string, source: SourceChat, now: Date): PlannedChat | undefined {
  const planted = plantTree(source, now)
  const first = planted.messages[0]
  if (first === undefined) return undefined
  const idOf = idsFor([ownerId, kind, source.id === '' ? contentKey(source) : source.id])
  const chatId = idOf('')
  const messages = planted.messages.map((message) => toThreadMessage(message, chatId, idOf, source.model))
  const newest = new Date(planted.messages.reduce((latest, { at }) => Math.max(latest, at.getTime()), 0))
  const leafId = idOf(planted.leafId)
  const answers = messages.filter(({ role, model }) => role === 'assistant' && model !== null)
  const answer = answers.find(({ id }) => id === leafId) ?? answers.at(-1)
  const question = planted.messages.find(({ said }) => said.role === 'user') ?? first
  const chat: Chat = {
    id: chatId,
    ownerId,
    title: sanitized(source.title.trim(), maxTitleLength) || chatTitle(sanitized(question.said.content, 4_000)),
    modelUsed: answer?.model ?? modelOf(source.model) ?? guestModelId,
    pinned: false,
    messageCount: messages.length,
    leafId,
    createdAt: earlierOf(source.createdAt ?? first.at, now),
    updatedAt: earlierOf(source.updatedAt ?? newest, now),
  }
  return { chat, messages }
}

const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other)

const idsFor =
  (parts: readonly string[]) =>
  (id: string): string =>
    createHash('sha256')
      .update(JSON.stringify([...parts, id]))
      .digest('hex')
      .slice(0, 32)

const contentKey = ({ title, messages }: SourceChat): string => JSON.stringify([title, messages.map(({ id }) => id)])

function toThreadMessage(
  { id, parentId, said, at }: Planted,
  chatId: string,
  idOf: (id: string) => string,
  model: string | undefined,
): ThreadMessage {
  const isUser = said.role === 'user'
  const content = sanitized(said.content, isUser ? maxMessageLength : maxAnswerLength)
  return {
    ...plainMessage,
    id: idOf(id),
    chatId,
    parentId: parentId === null ? null : idOf(parentId),
    role: said.role,
    content,
    reasoning: isUser ? '' : sanitized(said.reasoning ?? '', maxAnswerLength),
    model: modelOf(said.model) ?? modelOf(model) ?? null,
    ending: isUser ? null : endingOf(content),
    createdAt: at,
  }
}

const modelOf = (model: SourceMessage['id'] | undefined): string | undefined => modelIdSchema.safeParse(model).data

/** Made elsewhere, so it cost nothing here, and its tokens are guessed. */
const endingOf = (content: string): Ending =>
  plainEnding({ usage: { inputTokens: 0, outputTokens: estimateTokens(content.length), estimated: true } })

const sanitized = (text: string, longest: number): string => sanitizedText(text.slice(0, longest))
