import type { AnswerGeneration, ChatMode, Feedback, Message, StreamEvent, Usage, UsedMemory } from '@parley/contracts'
import type { AnswerParts, WebSearch } from '../../../../shared/message/answer-parts.ts'
import { type Failure, textOfServer } from './failure.ts'
import type { LiveAnswer } from './live-answer.ts'

export type MessageState = 'saving' | 'sent' | 'failed' | 'generating' | 'complete' | 'interrupted' | 'error'

/** One row of the thread. Its key never changes; its id is known only once the server has stored it. */
export interface ThreadMessage extends AnswerParts {
  readonly key: string
  readonly id: string | null
  readonly role: 'user' | 'assistant'
  readonly model: string | null
  /** The requested model if a fallback answered; known only if this page saw that. */
  readonly insteadOf: string | null
  readonly state: MessageState
  readonly failure: Failure | null
  readonly usage: Usage | null
  /** The answer's cost in credits; null when unknown. */
  readonly credits: number | null
  readonly durationMs: number | null
  /** For a continued answer: the usage of each generation; else empty. */
  readonly generations: readonly AnswerGeneration[]
  readonly finishReason: Extract<StreamEvent, { done: true }>['finishReason'] | null
  readonly clientMessageId: string | null
  /** The modes of a user's message. */
  readonly modes: readonly ChatMode[]
  /** Ids of all versions of this message in order, including its own; empty without others. */
  readonly versions: readonly string[]
  /** The preceding message; null for the first, and while unknown. */
  readonly parentId: string | null
  readonly feedback: Feedback | null
  /** Memories used for the answer. */
  readonly memoriesUsed: readonly UsedMemory[]
  /** Memory did not respond in time. */
  readonly memoryUnavailable: boolean
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

const blank = {
  id: null,
  reasoning: '',
  model: null,
  insteadOf: null,
  failure: null,
  usage: null,
  credits: null,
  durationMs: null,
  thinkingMs: null,
  generations: [],
  finishReason: null,
  clientMessageId: null,
  attachments: [],
  toolCalls: [],
  webSearch: null,
  modes: [],
  versions: [],
  parentId: null,
  feedback: null,
  memoriesUsed: [],
  memoryUnavailable: false,
} as const

/** A message just sent by its author. */
export const newUserMessage = (
  key: string,
  fields: Pick<ThreadMessage, 'content' | 'clientMessageId' | 'createdAt'> &
    Partial<Pick<ThreadMessage, 'model' | 'attachments' | 'modes' | 'versions' | 'parentId'>>,
): ThreadMessage => ({ ...blank, ...fields, key, role: 'user', state: 'saving' })

/** The row of an awaited answer. */
export const newAnswer = (
  key: string,
  model: string | null,
  createdAt: number,
  id: string | null = null,
): ThreadMessage => ({
  ...blank,
  key,
  id,
  model,
  createdAt,
  role: 'assistant',
  content: '',
  state: 'generating',
})

/** A stored message; reuses the row `known` that shows it already. */
export function fromServer(message: Message, known?: ThreadMessage): ThreadMessage {
  return {
    ...blank,
    key: known?.key ?? message.id,
    id: message.id,
    role: message.role,
    ...textOf(message, known),
    model: message.model,
    insteadOf: known?.insteadOf ?? null,
    state: message.role === 'user' ? 'sent' : message.status,
    failure: failureOf(message),
    usage: message.usage ?? null,
    credits: message.credits ?? null,
    durationMs: message.durationMs ?? null,
    thinkingMs: message.reasoningMs ?? known?.thinkingMs ?? null,
    generations: message.generations ?? [],
    finishReason: message.finishReason ?? known?.finishReason ?? null,
    clientMessageId: message.clientMessageId ?? null,
    attachments: message.attachments ?? [],
    toolCalls: message.toolCalls ?? [],
    webSearch: webSearchOf(message),
    modes: message.modes ?? [],
    versions: message.versions ?? [],
    parentId: message.parentId,
    feedback: message.feedback ?? null,
    memoriesUsed: message.memoriesUsed ?? [],
    memoryUnavailable: message.memoryUnavailable ?? false,
    createdAt: Date.parse(message.createdAt),
  }
}

/** The store may lag behind a growing answer; the shown text must not shrink. */
function textOf({ content, reasoning = '', status }: Message, known: ThreadMessage | undefined) {
  if (status !== 'generating' || known?.state !== 'generating') return { content, reasoning }
  return { content: longer(content, known.content), reasoning: longer(reasoning, known.reasoning) }
}

function webSearchOf({ webSearchQuery, webSearchResults, toolCalls = [], status }: Message): WebSearch | null {
  if (webSearchQuery === undefined && webSearchResults === undefined) return null
  const results = webSearchResults ?? []
  const failed = results.length === 0 && toolCalls.some(({ error }) => error !== undefined)
  const running = results.length > 0 ? 'reading' : 'searching'
  const stage = status === 'generating' ? running : failed ? 'failed' : 'done'
  return { query: webSearchQuery ?? '', results, stage }
}

function failureOf(message: Message): Failure | null {
  if (message.status !== 'interrupted' && message.status !== 'error') return null
  return {
    text: message.error ? textOfServer(message.error) : { type: 'own', id: 'chat.failure.interrupted' },
    code: message.status,
    charge: (message.credits ?? 0) > 0 ? 'text' : 'none',
  }
}

/** The row with the received part; its text never shrinks, because a resumed stream starts over. */
export function withLive(message: ThreadMessage, live: LiveAnswer): ThreadMessage {
  return {
    ...message,
    id: live.messageId ?? message.id,
    model: live.model ?? message.model,
    content: longer(live.content, message.content),
    reasoning: longer(live.reasoning, message.reasoning),
    thinkingMs: message.thinkingMs ?? live.thinkingMs,
    toolCalls: live.toolCalls.length > 0 ? live.toolCalls : message.toolCalls,
    webSearch: live.webSearch ?? message.webSearch,
    attachments: live.attachments.length > 0 ? live.attachments : message.attachments,
    memoriesUsed: live.memoriesUsed.length > 0 ? live.memoriesUsed : message.memoriesUsed,
    memoryUnavailable: live.memoryUnavailable || message.memoryUnavailable,
  }
}

const longer = (fresh: string, shown: string) => (fresh.length >= shown.length ? fresh : shown)
