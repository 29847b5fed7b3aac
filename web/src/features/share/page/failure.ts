import { isApiError } from '../../../shared/api/error.ts'
import type { MessageId } from '../../../shared/i18n/index.ts'
import type { MessageValues } from '../../../shared/i18n/messages.ts'

/** Why a shared chat is not shown: that it asks for a password, or a text and whether another try may help. */
export type Failure =
  | { readonly kind: 'password'; readonly wrong: boolean }
  | { readonly kind: 'text'; readonly id: MessageId; readonly values?: MessageValues; readonly canRetry: boolean }

/** @param tried a password was sent along */
export function failureOf(error: unknown, tried: boolean): Failure {
  if (error instanceof TypeError) return { kind: 'text', id: 'share.failure.setup', canRetry: true }
  if (!isApiError(error)) return { kind: 'text', id: 'share.failure.unknown', canRetry: true }
  const { status, code, message } = error
  if (code === 'password_required') return { kind: 'password', wrong: tried }
  if (status === 0) return { kind: 'text', id: 'share.failure.unreachable', canRetry: true }
  // An address that no link can have is no other case for who opens it.
  if (status === 404 || code === 'validation_failed')
    return { kind: 'text', id: 'share.failure.invalid', canRetry: false }
  if (message === '') return { kind: 'text', id: 'share.failure.load', canRetry: true }
  return { kind: 'text', id: 'share.failure.status', values: { status, message }, canRetry: true }
}
