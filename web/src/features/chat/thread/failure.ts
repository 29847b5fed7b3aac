import type { AnswerEnd, CallFailure } from '../stream/read-answer.ts'

/** Whether an answer that failed cost something: `text` when the part that arrived was charged, `none` when nothing was. */
export type Charge = 'none' | 'text'

/** A failure as the thread shows it: the server's own words, or the id of ours. */
export interface Failure {
  readonly text: FailureText
  readonly code: string
  readonly charge: Charge
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number
}

/** Words to show, either as they came from the server or by their id in the catalogue. */
export type FailureText = { type: 'server'; text: string } | { type: 'own'; id: FailureTextId }

/** The catalogue's own failure texts. */
export type FailureTextId =
  | 'chat.failure.newChat'
  | 'chat.failure.send.timeout'
  | 'chat.failure.send.format'
  | 'chat.failure.send.network'
  | 'chat.failure.send.unknown'
  | 'chat.failure.timeout'
  | 'chat.failure.lost'
  | 'chat.failure.connection'
  | 'chat.failure.interrupted'

/** What the thread says of a send that was refused or never answered; `newChat` when it would have begun a chat. */
export function failureOfRefusal(failure: CallFailure, newChat: boolean): Failure {
  const retryAfter = failure.retryAfter ? { retryAfter: failure.retryAfter } : {}
  return { text: textOfRefusal(failure, newChat), code: failure.code, charge: 'none', ...retryAfter }
}

function textOfRefusal(failure: CallFailure, newChat: boolean): FailureText {
  if (failure.code === 'network') return { type: 'own', id: 'chat.failure.send.network' }
  if (failure.code === 'timeout') return { type: 'own', id: 'chat.failure.send.timeout' }
  if (failure.code === 'invalid_response') return { type: 'own', id: 'chat.failure.send.format' }
  if (failure.message !== '') return { type: 'server', text: failure.message }
  return { type: 'own', id: newChat ? 'chat.failure.newChat' : 'chat.failure.send.unknown' }
}

/** What the thread says of an answer that ended badly after it was accepted; null for an end that is none. */
export function failureOfEnd(end: AnswerEnd, hasText: boolean): Failure | null {
  const charge: Charge = hasText ? 'text' : 'none'
  if (end.type === 'error') {
    const text: FailureText = end.error
      ? { type: 'server', text: end.error }
      : { type: 'own', id: 'chat.failure.connection' }
    return { text, code: end.code, charge }
  }
  if (end.type === 'gone') return { text: { type: 'own', id: 'chat.failure.interrupted' }, code: 'gone', charge }
  if (end.type !== 'interrupted') return null
  return { text: { type: 'own', id: interruptions[end.reason] }, code: end.reason, charge }
}

const interruptions = {
  timeout: 'chat.failure.timeout',
  lost: 'chat.failure.lost',
  failed: 'chat.failure.connection',
  'broken-off': 'chat.failure.interrupted',
} as const satisfies Record<Extract<AnswerEnd, { type: 'interrupted' }>['reason'], FailureTextId>
