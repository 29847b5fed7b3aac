import type { MessageId } from '../../../../shared/i18n/index.ts'
import { type CallFailure, isCallFailure } from '../../stream/call-failure.ts'
import type { AnswerEnd } from '../../stream/read-answer.ts'

/** Whether a failed answer was charged: `text` if part of it arrived and was charged, `none` if not. */
export type Charge = 'none' | 'text'

/** A failure for display: the server's own text, or the id of ours. */
export interface Failure {
  readonly text: FailureText
  readonly code: string
  readonly charge: Charge
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** Id of the failed call in the server's log. */
  readonly requestId?: string
}

/** Text from the server, or an id in the catalogue. */
export type FailureText =
  | { type: 'server'; text: string }
  /** `reason` fills the placeholder of texts that have one. */
  | { type: 'own'; id: FailureTextId; values?: { readonly reason: string } }

type FailureTextId = Extract<MessageId, `chat.failure.${string}` | `live.failure.image${string}`>

/** What the server stores with an answer that broke off, in English. */
const brokenOff = 'Streaming was interrupted'

/** A text of the server; the usual one in the language of the interface. */
export const textOfServer = (text: string): FailureText =>
  text === brokenOff ? { type: 'own', id: 'chat.failure.interrupted' } : { type: 'server', text }

/** The failure of a message that was refused or got no response; `newChat` if it would have created a chat. */
export function failureOfRefusal(failure: CallFailure, newChat: boolean): Failure {
  return { text: textOfRefusal(failure, newChat), code: failure.code, charge: 'none', ...factsOf(failure) }
}

const factsOf = ({ retryAfter, requestId }: CallFailure) => ({
  ...(retryAfter && { retryAfter }),
  ...(requestId && { requestId }),
})

function textOfRefusal(failure: CallFailure, newChat: boolean): FailureText {
  if (failure.code === 'network') return { type: 'own', id: 'chat.failure.send.network' }
  if (failure.code === 'timeout') return { type: 'own', id: 'chat.failure.send.timeout' }
  if (failure.code === 'invalid_response') return { type: 'own', id: 'chat.failure.send.format' }
  if (failure.message !== '') return textOfServer(failure.message)
  return { type: 'own', id: newChat ? 'chat.failure.newChat' : 'chat.failure.send.unknown' }
}

/** A failed call as a refusal. */
export const refusalOf = (error: unknown): CallFailure =>
  isCallFailure(error) ? error : { status: 0, code: isAbort(error) ? 'stopped' : 'invalid_response', message: '' }

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

export function failureOfImage(error: unknown): Failure {
  const refusal = refusalOf(error)
  const { code, message } = refusal
  return { text: textOfImage(code, message), code, charge: 'none', ...factsOf(refusal) }
}

function textOfImage(code: string, message: string): FailureText {
  if (code === 'stopped') return { type: 'own', id: 'live.failure.image.stopped' }
  if (code === 'invalid_response') return { type: 'own', id: 'live.failure.image.noUrl' }
  // Image models report this themselves; a refusal before the call does not.
  if (message.startsWith('Failed to generate image')) return { type: 'server', text: message }
  if (message !== '') return { type: 'own', id: 'live.failure.image', values: { reason: message } }
  return { type: 'own', id: code === 'timeout' ? 'live.failure.image.timeout' : 'live.failure.image.network' }
}

/** The failure of an accepted answer that ended badly; null for a good end. */
export function failureOfEnd(end: AnswerEnd, hasText: boolean): Failure | null {
  const charge: Charge = hasText ? 'text' : 'none'
  if (end.type === 'error') {
    const text: FailureText = end.error ? textOfServer(end.error) : { type: 'own', id: 'chat.failure.connection' }
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
