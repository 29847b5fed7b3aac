import type { Attachment, ChatDetail, ChatMode, Message, ServerPayload } from '@parley/contracts'
import type { AnswerStep } from '../stream/answer-event.ts'
import type { AnswerEnd } from '../stream/read-answer.ts'
import { type Failure, failureOfEnd, failureOfRefusal } from './failure.ts'
import { type AnswerSource, emptyAnswer, type LiveAnswer, reduceAnswer } from './live-answer.ts'
import { fromServer, newAnswer, newUserMessage, type ThreadMessage, withLive } from './thread-message.ts'

/** What a new version removed from the screen: an answer or a question with everything after it; or, for a continuation, the answer before it. */
export interface Replaced {
  readonly kind: 'answer' | 'question' | 'part'
  /** Starts with the replaced message. */
  readonly messages: readonly ThreadMessage[]
}

/** The complete state of a chat on screen. */
export interface ThreadState {
  /** Null until the first message of a new chat is stored, and always for a guest. */
  readonly chatId: string | null
  readonly title: string | null
  readonly archived: boolean
  /** Oldest first. The row of a running answer is unchanged; the growing part is `live`. */
  readonly messages: readonly ThreadMessage[]
  readonly live: LiveAnswer | null
  readonly hasMore: boolean
  /** The page around a message is shown, and the thread continues after it. */
  readonly hasNewer: boolean
  /** Messages that could not be sent and belong to the end of the thread, while that is not shown. */
  readonly unsent: readonly ThreadMessage[]
  /** Counts jumps to another position in the thread, each of which replaces all messages. */
  readonly position: number
  /** `missing`: the server does not know the chat. */
  readonly loading: 'none' | 'first' | 'older' | 'newer' | 'failed' | 'missing'
  /** The last change prepended messages, so the view must keep its scroll position. */
  readonly prepended: boolean
  /** What the version being made replaces; restored if that is refused. */
  readonly replaced: Replaced | null
  /** Why nothing can be sent for now: no credits or no allowance left. */
  readonly blocked: Failure | null
  /** Unsent text to be returned to the composer; a new object each time. */
  readonly returned: (Pick<ThreadMessage, 'attachments' | 'modes'> & { readonly text: string }) | null
  /** The question being edited in place, by its key, and its new text. */
  readonly editing: { readonly key: string; readonly text: string } | null
  /** Id of the message to scroll to; null once done. */
  readonly target: string | null
  /** The search words that led to it; null without a search. */
  readonly words: string | null
}

/** A thread in its initial state; `loading` when its messages are about to be loaded. */
export const emptyThread = (chatId: string | null, loading: 'none' | 'first' = 'none'): ThreadState => ({
  chatId,
  title: null,
  archived: false,
  messages: [],
  live: null,
  hasMore: false,
  hasNewer: false,
  unsent: [],
  position: 0,
  loading,
  prepended: false,
  replaced: null,
  blocked: null,
  returned: null,
  editing: null,
  target: null,
  words: null,
})

/** Applies the latest messages from the server; rows of the same messages are kept, unsent ones remain at the end. */
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
    archived: chat.archived === true,
    messages: [...older, ...fresh, ...unsentOf([...state.messages, ...state.unsent], chat)],
    hasMore: older.length > 0 ? state.hasMore : chat.hasMore,
    hasNewer: false,
    unsent: [],
    loading: 'none',
    prepended: false,
  }
}

/** A message that seemed lost is recognised by its client id. */
export const isSame = (known: ThreadMessage, message: Message): boolean =>
  known.id === null
    ? known.clientMessageId !== null && known.clientMessageId === message.clientMessageId
    : known.id === message.id

/** The messages that could not be sent and are not on the server, with their failure rows. */
export function unsentOf(messages: readonly ThreadMessage[], chat: Pick<ChatDetail, 'messages'>): ThreadMessage[] {
  const isUnsent = (message: ThreadMessage | undefined): message is ThreadMessage =>
    message?.state === 'failed' && !chat.messages.some((stored) => isSame(message, stored))
  return messages.filter((message, index) => {
    // The row below a message shows its failure, and is kept with it.
    const sender = message.role === 'user' ? message : messages[index - 1]
    return message.id === null && isUnsent(sender)
  })
}

/** Prepends older messages; one that is being sent or answered already has its row. */
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

/** The input of a send. Keys are those of the two new rows. */
export interface Sending {
  readonly userKey: string
  readonly answerKey: string
  readonly text: string
  readonly model: string | null
  readonly clientMessageId: string
  readonly at: number
  readonly attachments?: readonly Attachment[]
  readonly modes?: readonly ChatMode[]
  /** The source of the answer's events; this tab's own stream by default. */
  readonly source?: AnswerSource
}

/** Shows a message immediately, with a placeholder for its answer. */
export function beginSend(state: ThreadState, sending: Sending): ThreadState {
  const { userKey, answerKey, text, at, source = 'stream', attachments = [], modes = [] } = sending
  const { model, clientMessageId } = sending
  const parentId = state.messages.at(-1)?.id ?? null
  const fields = { content: text, model, clientMessageId, createdAt: at, attachments, modes, parentId }
  return {
    ...state,
    messages: [...state.messages, newUserMessage(userKey, fields), newAnswer(answerKey, model, at)],
    live: { ...emptyAnswer(answerKey, at), source },
    prepended: false,
    replaced: null,
    blocked: null,
  }
}

/** Replaces the question `key` with a new version; the old one and everything after it is removed. */
export function beginEdit(state: ThreadState, key: string, sending: Sending): ThreadState {
  const at = state.messages.findIndex((message) => message.key === key)
  if (at < 0) return state
  const cut = { ...state, messages: state.messages.slice(0, at) }
  const begun = beginSend(cut, sending)
  return { ...begun, replaced: { kind: 'question', messages: state.messages.slice(at) } }
}

/** Removes a failed message and everything after it, to be resent. */
export function dropFrom(state: ThreadState, key: string): ThreadState {
  const index = state.messages.findIndex((message) => message.key === key)
  return index < 0 ? state : { ...state, messages: state.messages.slice(0, index), prepended: false }
}

/** The input of a regeneration: the replaced row and the new one. */
interface Regenerating extends Pick<Sending, 'answerKey' | 'model' | 'at' | 'source'> {
  readonly key: string
}

/** Replaces the answer `key` with a new one; the old one and everything after it is removed. */
export function beginRegenerate(
  state: ThreadState,
  { key, answerKey, model, at, source = 'stream' }: Regenerating,
): ThreadState {
  const index = state.messages.findIndex((message) => message.key === key)
  if (index < 0) return state
  return {
    ...state,
    messages: [...state.messages.slice(0, index), newAnswer(answerKey, model, at)],
    live: { ...emptyAnswer(answerKey, at), source },
    prepended: false,
    replaced: { kind: 'answer', messages: state.messages.slice(index) },
    blocked: null,
  }
}

/** Continues the answer in the last row. */
export function beginContinue(state: ThreadState, model: string, at: number): ThreadState {
  const row = state.messages.at(-1)
  if (row === undefined) return state
  return {
    ...state,
    messages: [...state.messages.slice(0, -1), { ...row, model, state: 'generating', failure: null }],
    live: emptyAnswer(row.key, at),
    prepended: false,
    replaced: { kind: 'part', messages: [row] },
    blocked: null,
  }
}

/** Follows a running answer in its own row, through the events of `source`. The socket must send a snapshot first. */
export function beginResume(
  state: ThreadState,
  messageId: string,
  at: number,
  source: AnswerSource = 'stream',
  streamId = messageId,
): ThreadState {
  const row = state.messages.find((message) => message.id === messageId) ?? newAnswer(messageId, null, at, messageId)
  const others = state.messages.filter((message) => message !== row)
  const live = { ...emptyAnswer(row.key, row.createdAt, messageId, streamId), source, heardAt: at }
  return {
    ...state,
    messages: [...others, { ...row, state: 'generating', failure: null }],
    live: source === 'socket' ? { ...live, lastSeq: null } : live,
    prepended: false,
    replaced: null,
  }
}

/** A created chat, with the client id of its first message. */
export type Begun = Pick<ServerPayload<'chat:update'>, 'chatId' | 'title' | 'clientMessageId'>

/** Applies steps of the running answer from a stream or the socket, received at time `at`. */
export function takeSteps(state: ThreadState, steps: readonly AnswerStep[], at: number): ThreadState {
  if (!state.live) return state
  const live = steps.reduce((answer, step) => reduceAnswer(answer, step, at), state.live)
  if (live === state.live) return state
  if (live.messageId === state.live.messageId || !live.messageId) return { ...state, live }
  return acceptStart({ ...state, live }, live)
}

/** Records that the message with this id has created the chat; its answer is still awaited. */
export function takeBegun(state: ThreadState, { chatId, title, clientMessageId }: Begun): ThreadState {
  const messages = state.messages.map((message): ThreadMessage => {
    const isStored = message.clientMessageId === clientMessageId && message.state === 'saving'
    return isStored ? { ...message, state: 'sent' } : message
  })
  return { ...state, messages, chatId, title: title ?? state.title }
}

function acceptStart(state: ThreadState, live: LiveAnswer): ThreadState {
  const at = state.messages.findIndex((message) => message.key === live.key)
  const { messageId, userMessageId } = live
  const isPart = state.replaced?.kind === 'part'
  const messages = state.messages.map((message, index): ThreadMessage => {
    if (index === at) {
      const parentId = userMessageId ?? message.parentId
      const versions = isPart ? message.versions : withVersion(state.replaced, 'answer', messageId)
      const model = live.model ?? message.model
      return {
        ...message,
        id: messageId,
        model,
        insteadOf: model === message.model ? null : message.model,
        parentId,
        versions,
      }
    }
    if (isPart || index !== at - 1 || message.role !== 'user') return message
    const versions = withVersion(state.replaced, 'question', userMessageId)
    return { ...message, id: userMessageId ?? message.id, state: 'sent', failure: null, versions }
  })
  const { chatId, title } = live
  // Nothing follows a new version.
  const hasNewer = state.hasNewer && state.replaced === null
  return { ...state, messages, hasNewer, chatId: chatId ?? state.chatId, title: title ?? state.title, archived: false }
}

/** All versions including `id`; empty when nothing of this kind was replaced. */
export function withVersion(replaced: Replaced | null, kind: Replaced['kind'], id: string | null): readonly string[] {
  const old = replaced?.kind === kind ? replaced.messages[0] : undefined
  if (!old?.id || id === null) return []
  return [...(old.versions.length > 0 ? old.versions : [old.id]), id]
}

/** Refusals that leave nothing in the thread: the text returns to the composer. */
const blocking = new Set(['guest_limit_reached', 'insufficient_credits'])
/** A message with a missing file returns, too: only there can the file be removed. */
const hasLostFile = ({ attachments }: ThreadMessage, { code }: Failure): boolean =>
  code === 'not_found' && attachments.length > 0

/** Ends a running answer at time `at`. */
export function endAnswer(state: ThreadState, end: AnswerEnd, at: number): ThreadState {
  const { live } = state
  if (!live) return state
  if (end.type === 'refused') return endRefused(state, live, end)
  if (addsNothing(state, end)) return { ...state, ...withRestored(state, live) }
  const before = state.replaced?.kind === 'part' ? state.replaced.messages[0] : undefined
  return {
    ...state,
    live: null,
    replaced: null,
    messages: state.messages.map((message): ThreadMessage => {
      if (message.key === live.key) return withPart(ended(message, live, end, at), before)
      return message.state === 'saving' ? { ...message, state: 'failed' } : message
    }),
  }
}

/** Whether a continuation failed before adding text: the answer is unchanged. */
export const addsNothing = ({ replaced, live }: ThreadState, end: AnswerEnd): boolean =>
  replaced?.kind === 'part' &&
  end.type !== 'done' &&
  end.type !== 'left' &&
  (live?.content.length ?? 0) <= (replaced.messages[0]?.content.length ?? 0)

/** The thread with the replaced messages restored. */
const withRestored = ({ messages, replaced }: ThreadState, { key }: LiveAnswer) => ({
  messages: [...messages.filter((message) => message.key !== key), ...(replaced?.messages ?? [])],
  live: null,
  replaced: null,
})

/** The row with the usage of the answer before its continuation. */
function withPart(row: ThreadMessage, before: ThreadMessage | undefined): ThreadMessage {
  if (before === undefined || row.usage === null) return row
  const { usage, credits, durationMs } = before
  return {
    ...row,
    usage: {
      inputTokens: row.usage.inputTokens + (usage?.inputTokens ?? 0),
      outputTokens: row.usage.outputTokens + (usage?.outputTokens ?? 0),
      estimated: row.usage.estimated || usage?.estimated === true,
    },
    credits: (row.credits ?? 0) + (credits ?? 0),
    durationMs: (row.durationMs ?? 0) + (durationMs ?? 0),
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
  const isBlocking = blocking.has(failure.code)
  const { kind, messages: back = [] } = state.replaced ?? {}
  if (kind === 'part') return { ...state, ...withRestored(state, live), blocked: isBlocking ? failure : null }
  if (kind === 'answer') {
    const restored = back.map((message, index) => (index === 0 ? { ...message, failure } : message))
    return { ...rest, messages: [...before, ...restored], blocked: isBlocking ? failure : null }
  }
  const sent = before.at(-1)
  if (sent && (isBlocking || hasLostFile(sent, failure))) {
    const messages = [...before.slice(0, -1), ...back]
    return { ...rest, messages, blocked: failure, returned: draftOf(sent) }
  }
  const messages = state.messages.map((message): ThreadMessage => {
    if (message.key === live.key) return { ...message, state: 'error', failure }
    return message === sent ? { ...message, state: 'failed' } : message
  })
  // A refused version is shown below what it would have replaced, to be resent.
  const at = sent ? messages.findIndex(({ key }) => key === sent.key) : messages.length
  return { ...rest, messages: [...messages.slice(0, at), ...back, ...messages.slice(at)] }
}

export const draftOf = ({ content, attachments, modes }: ThreadMessage) => ({ text: content, attachments, modes })

/** Returns a message that the server has not accepted to the composer; it stays in the thread, which is about to be left. */
export function giveBackUnsent(state: ThreadState): ThreadState {
  const question = state.messages.findLast(({ role }) => role === 'user')
  const isUnsent = question?.state === 'saving' || question?.state === 'failed'
  return isUnsent ? { ...state, returned: draftOf(question) } : state
}

/** Takes back a message that was not sent: it returns to the composer, and what it was to replace is restored. */
export function takeBack(state: ThreadState): ThreadState {
  const { live, replaced } = state
  if (!live) return state
  const rows = state.messages.filter(({ key }) => key !== live.key)
  const sent = replaced !== null && replaced.kind !== 'question' ? undefined : rows.at(-1)
  const messages = [...rows.filter((row) => row !== sent), ...(replaced?.messages ?? [])]
  return { ...state, live: null, replaced: null, messages, returned: sent ? draftOf(sent) : state.returned }
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
