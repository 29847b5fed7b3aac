import type { Message, StreamEvent, Usage } from '@parley/contracts'
import type { Failure } from './failure.ts'
import type { LiveAnswer } from './live-answer.ts'

/** How far a user's message got, or how an answer stands. */
export type MessageState = 'saving' | 'sent' | 'failed' | 'generating' | 'complete' | 'interrupted' | 'error'

/** One row of the thread. Its key never changes, while its id is known only once the server has it. */
export interface ThreadMessage {
  readonly key: string
  readonly id: string | null
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly reasoning: string
  readonly model: string | null
  readonly state: MessageState
  readonly failure: Failure | null
  readonly usage: Usage | null
  /** Credits that the answer cost; null when unknown. */
  readonly credits: number | null
  readonly durationMs: number | null
  readonly thinkingMs: number | null
  readonly finishReason: Extract<StreamEvent, { done: true }>['finishReason'] | null
  readonly clientMessageId: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

const blank = {
  id: null,
  reasoning: '',
  model: null,
  failure: null,
  usage: null,
  credits: null,
  durationMs: null,
  thinkingMs: null,
  finishReason: null,
  clientMessageId: null,
} as const

/** A message that its writer has just sent. */
export const newUserMessage = (
  key: string,
  fields: { content: string; model: string; clientMessageId: string; createdAt: number },
): ThreadMessage => ({ ...blank, ...fields, key, role: 'user', state: 'saving' })

/** The row of an answer that is being waited for. */
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

/** A stored message; it keeps the row `known` that shows it already. */
export function fromServer(message: Message, known?: ThreadMessage): ThreadMessage {
  return {
    ...blank,
    key: known?.key ?? message.id,
    id: message.id,
    role: message.role,
    content: message.content,
    reasoning: message.reasoning ?? '',
    model: message.model,
    state: message.role === 'user' ? 'sent' : message.status,
    failure: failureOf(message),
    usage: message.usage ?? null,
    credits: message.credits ?? null,
    durationMs: message.durationMs ?? null,
    thinkingMs: message.reasoningMs ?? known?.thinkingMs ?? null,
    finishReason: message.finishReason ?? known?.finishReason ?? null,
    clientMessageId: message.clientMessageId ?? null,
    createdAt: Date.parse(message.createdAt),
  }
}

function failureOf(message: Message): Failure | null {
  if (message.status !== 'interrupted' && message.status !== 'error') return null
  return {
    text: message.error ? { type: 'server', text: message.error } : { type: 'own', id: 'chat.failure.interrupted' },
    code: message.status,
    charge: (message.credits ?? 0) > 0 ? 'text' : 'none',
  }
}

/** The row with what the stream has told so far; its text never shrinks, as a resumed stream starts over. */
export function withLive(message: ThreadMessage, live: LiveAnswer): ThreadMessage {
  return {
    ...message,
    id: live.messageId ?? message.id,
    model: live.model ?? message.model,
    content: longer(live.content, message.content),
    reasoning: longer(live.reasoning, message.reasoning),
    thinkingMs: message.thinkingMs ?? live.thinkingMs,
  }
}

const longer = (fresh: string, shown: string) => (fresh.length >= shown.length ? fresh : shown)
