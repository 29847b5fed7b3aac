import type { ChatDetail, Message } from '@parley/contracts'
import type { AnswerEnd, AnswerStep } from '../stream/read-answer.ts'
import { type Failure, failureOfEnd, failureOfRefusal } from './failure.ts'
import { emptyAnswer, type LiveAnswer, reduceAnswer } from './live-answer.ts'
import { fromServer, newAnswer, newUserMessage, type ThreadMessage, withLive } from './thread-message.ts'

/** Everything that one chat shows. */
export interface ThreadState {
  /** Null until the first message of a new chat is accepted, and always for a guest. */
  readonly chatId: string | null
  readonly title: string | null
  /** Oldest first. The row of a running answer stays as it was; what grows is `live`. */
  readonly messages: readonly ThreadMessage[]
  readonly live: LiveAnswer | null
  readonly hasMore: boolean
  readonly loading: 'none' | 'first' | 'older' | 'failed'
  /** The last change put messages in front, so that the view has to keep its place. */
  readonly prepended: boolean
  /** The answer that a running regeneration replaces; it returns when that is refused. */
  readonly replaced: ThreadMessage | null
  /** Why nothing can be sent until something outside changes: no credits or no allowance left. */
  readonly blocked: Failure | null
  /** Text that could not be sent and belongs back into the composer; a new object each time. */
  readonly returned: { readonly text: string } | null
}

/** A thread of which nothing is known; `loading` when its messages are about to be asked for. */
export const emptyThread = (chatId: string | null, loading: 'none' | 'first' = 'none'): ThreadState => ({
  chatId,
  title: null,
  messages: [],
  live: null,
  hasMore: false,
  loading,
  prepended: false,
  replaced: null,
  blocked: null,
  returned: null,
})

/** Takes the latest messages from the server; rows that stand for the same messages stay, unsent ones remain at the end. */
export function takeLatest(state: ThreadState, chat: ChatDetail): ThreadState {
  const fresh = chat.messages.map((message) =>
    fromServer(
      message,
      state.messages.find((known) => isSame(known, message)),
    ),
  )
  const firstKey = fresh[0]?.key
  const overlap = state.messages.findIndex(({ key }) => key === firstKey)
  const older = overlap > 0 ? state.messages.slice(0, overlap) : []
  return {
    ...state,
    title: chat.title,
    messages: [...older, ...fresh, ...unsentOf(state.messages, chat)],
    hasMore: older.length > 0 ? state.hasMore : chat.hasMore,
    loading: 'none',
    prepended: false,
  }
}

/** A message that seemed lost on the way out is known to the server by the id that its sender gave it. */
const isSame = (known: ThreadMessage, message: Message): boolean =>
  known.id === null
    ? known.clientMessageId !== null && known.clientMessageId === message.clientMessageId
    : known.id === message.id

function unsentOf(messages: readonly ThreadMessage[], chat: ChatDetail): ThreadMessage[] {
  const isUnsent = (message: ThreadMessage | undefined): message is ThreadMessage =>
    message?.state === 'failed' && !chat.messages.some((stored) => isSame(message, stored))
  return messages.filter((message, index) => {
    // The row below a message says why it was not sent, and goes with it.
    const sender = message.role === 'user' ? message : messages[index - 1]
    return message.id === null && isUnsent(sender)
  })
}

/** Puts older messages in front; one that is just being sent or answered has its row already. */
export function takeOlder(state: ThreadState, chat: ChatDetail): ThreadState {
  const isKnown = (message: Message): boolean =>
    message.status === 'generating' || state.messages.some((known) => isSame(known, message))
  const older = chat.messages.filter((message) => !isKnown(message)).map((message) => fromServer(message))
  return {
    ...state,
    messages: [...older, ...state.messages],
    hasMore: chat.hasMore && older.length > 0,
    loading: 'none',
    prepended: true,
  }
}

/** What a send begins with. Keys are those of the two new rows. */
export interface Sending {
  readonly userKey: string
  readonly answerKey: string
  readonly text: string
  readonly model: string
  readonly clientMessageId: string
  readonly at: number
}

/** Shows a message at once, with the place of its answer. */
export function beginSend(state: ThreadState, sending: Sending): ThreadState {
  const { userKey, answerKey, text, model, clientMessageId, at } = sending
  const message = newUserMessage(userKey, { content: text, model, clientMessageId, createdAt: at })
  return {
    ...state,
    messages: [...state.messages, message, newAnswer(answerKey, model, at)],
    live: emptyAnswer(answerKey, at),
    prepended: false,
    replaced: null,
    blocked: null,
  }
}

/** Takes a failed message and all after it away, to be sent again. */
export function dropFrom(state: ThreadState, key: string): ThreadState {
  const index = state.messages.findIndex((message) => message.key === key)
  return index < 0 ? state : { ...state, messages: state.messages.slice(0, index), prepended: false }
}

/** Puts a new answer in the place of the last one. */
export function beginRegenerate(
  state: ThreadState,
  { answerKey, model, at }: { answerKey: string; model: string; at: number },
): ThreadState {
  const replaced = state.messages.at(-1) ?? null
  return {
    ...state,
    messages: [...state.messages.slice(0, -1), newAnswer(answerKey, model, at)],
    live: emptyAnswer(answerKey, at),
    prepended: false,
    replaced,
    blocked: null,
  }
}

/** Follows an answer that runs already, in its own row. */
export function beginResume(state: ThreadState, messageId: string, at: number): ThreadState {
  const row = state.messages.find((message) => message.id === messageId) ?? newAnswer(messageId, null, at, messageId)
  const others = state.messages.filter((message) => message !== row)
  return {
    ...state,
    messages: [...others, { ...row, state: 'generating', failure: null }],
    live: emptyAnswer(row.key, row.createdAt, messageId),
    prepended: false,
    replaced: null,
  }
}

/** Takes in what the stream told at time `at`. */
export function takeSteps(state: ThreadState, steps: readonly AnswerStep[], at: number): ThreadState {
  if (!state.live) return state
  const live = steps.reduce((answer, step) => reduceAnswer(answer, step, at), state.live)
  if (live.messageId === state.live.messageId || !live.messageId) return { ...state, live }
  return acceptStart({ ...state, live }, live)
}

function acceptStart(state: ThreadState, live: LiveAnswer): ThreadState {
  const at = state.messages.findIndex((message) => message.key === live.key)
  const messages = state.messages.map((message, index): ThreadMessage => {
    if (index === at) return { ...message, id: live.messageId, model: live.model ?? message.model }
    if (index !== at - 1 || message.role !== 'user') return message
    return { ...message, id: live.userMessageId ?? message.id, state: 'sent', failure: null }
  })
  return { ...state, messages, chatId: live.chatId ?? state.chatId, title: live.title ?? state.title }
}

/** Codes of refusals that leave nothing in the thread: the text goes back into the composer. */
const blocking = new Set(['guest_limit_reached', 'insufficient_credits'])

/** Brings a running answer to its end at time `at`. */
export function endAnswer(state: ThreadState, end: AnswerEnd, at: number): ThreadState {
  const { live } = state
  if (!live) return state
  if (end.type === 'refused') return endRefused(state, live, end)
  return {
    ...state,
    live: null,
    replaced: null,
    messages: state.messages.map((message): ThreadMessage => {
      if (message.key === live.key) return ended(message, live, end, at)
      return message.state === 'saving' ? { ...message, state: 'failed' } : message
    }),
  }
}

function endRefused(
  state: ThreadState,
  live: LiveAnswer,
  { failure: refusal }: Extract<AnswerEnd, { type: 'refused' }>,
): ThreadState {
  const failure = failureOfRefusal(refusal, state.chatId === null)
  const before = state.messages.filter((message) => message.key !== live.key)
  const rest = { ...state, live: null, replaced: null }
  if (state.replaced) {
    const restored = { ...state.replaced, failure }
    return { ...rest, messages: [...before, restored], blocked: blocking.has(failure.code) ? failure : null }
  }
  const sent = before.at(-1)
  if (blocking.has(failure.code) && sent) {
    return { ...rest, messages: before.slice(0, -1), blocked: failure, returned: { text: sent.content } }
  }
  const messages = state.messages.map((message): ThreadMessage => {
    if (message.key === live.key) return { ...message, state: 'error', failure }
    return message === sent ? { ...message, state: 'failed' } : message
  })
  return { ...rest, messages }
}

function ended(row: ThreadMessage, live: LiveAnswer, end: AnswerEnd, at: number): ThreadMessage {
  const message = withLive(row, live)
  const hasText = message.content !== ''
  if (end.type === 'done' && live.outcome) {
    const { usage, credits, finishReason } = live.outcome
    const durationMs = at - live.startedAt
    return { ...message, state: 'complete', usage, credits: credits.charged, durationMs, finishReason }
  }
  const failure = failureOfEnd(end, hasText)
  return { ...message, state: end.type === 'error' && !hasText ? 'error' : 'interrupted', failure }
}
