import type { ErrorCode } from '@parley/contracts'
import type { AppError } from './app-error.ts'

/** What OpenAI and Anthropic call an error, where that differs from its kind of status. */
interface Names {
  readonly type: string
  readonly code: string | null
  /** Anthropic's type. */
  readonly message: string
}

const named: Partial<Record<ErrorCode, Names>> = {
  insufficient_credits: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'billing_error' },
  rate_limited: { type: 'requests', code: 'rate_limit_exceeded', message: 'rate_limit_error' },
  unauthenticated: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'authentication_error' },
  account_banned: { type: 'invalid_request_error', code: 'account_banned', message: 'permission_error' },
  model_locked: { type: 'invalid_request_error', code: 'model_locked', message: 'permission_error' },
  validation_failed: {
    type: 'invalid_request_error',
    code: 'invalid_request_error',
    message: 'invalid_request_error',
  },
  payload_too_large: { type: 'invalid_request_error', code: 'payload_too_large', message: 'request_too_large' },
  provider_timeout: { type: 'server_error', code: 'provider_timeout', message: 'timeout_error' },
}

/** The form that an error takes for a program. */
export type ApiErrorForm = 'openai' | 'anthropic'

/** The body of an error in OpenAI's form, or in Anthropic's. */
export function apiErrorBody(error: AppError, requestId: string, form: ApiErrorForm): object {
  const { type, code, message } = namesOf(error)
  const text = textOf(error, form)
  if (form === 'anthropic') return { type: 'error', error: { type: message, message: text }, request_id: requestId }
  const param = error.code === 'rate_limited' ? null : (error.details?.[0]?.path ?? null)
  return { error: { message: text, type, param, code } }
}

/** The first fault where there are several, of which a form would mark each. Anthropic's form names the field in the text. */
function textOf({ code, message, details = [] }: AppError, form: ApiErrorForm): string {
  const [first] = details
  if (code !== 'validation_failed' || first === undefined) return message
  const fault = details.length > 1 ? first.message : message
  return form === 'anthropic' ? `${first.path}: ${fault}` : fault
}

function namesOf({ code, status, details }: AppError): Names {
  const field = details?.[0]?.path
  if (code === 'rate_limited' && field === 'tokens') return { ...(named.rate_limited as Names), type: 'tokens' }
  if (code === 'not_found') {
    return {
      type: 'invalid_request_error',
      code: field === undefined ? 'unknown_url' : field === 'model' ? 'model_not_found' : null,
      message: 'not_found_error',
    }
  }
  return (
    named[code] ??
    (status < 500
      ? { type: 'invalid_request_error', code, message: 'invalid_request_error' }
      : { type: 'server_error', code, message: 'api_error' })
  )
}

/**
 * The headers of an error by which the official clients decide whether and when to try again. They try 409 again by themselves, and Claude Code
 * even 401 for minutes; nothing is won by that for a wrong key, money or a body that will not change.
 */
export function apiErrorHeaders({ code, headers }: AppError): Readonly<Record<string, string>> {
  if (code === 'unauthenticated' || code === 'insufficient_credits' || code === 'conflict')
    return { ...headers, 'x-should-retry': 'false' }
  const seconds = Number(headers['retry-after'])
  if (code !== 'rate_limited' || Number.isNaN(seconds)) return headers
  return { 'retry-after-ms': String(seconds * 1000), ...headers }
}
