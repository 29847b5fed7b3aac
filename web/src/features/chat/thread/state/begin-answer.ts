import type { Attachment, ChatMode } from '@parley/contracts'
import { type AnswerSource, emptyAnswer } from './live-answer.ts'
import { newAnswer, newUserMessage } from './thread-message.ts'
import type { ThreadState } from './thread-state.ts'

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
    returned: null,
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
    returned: null,
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
    returned: null,
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
