import { type ErrorBody, type ErrorCode, errorStatus } from '@parley/contracts'

/** The default of a 503: the seconds after which a retry is worth while. */
export const retrySoon = { 'retry-after': '2' } as const

/** A refusal or failure that the caller may see: a stable code, a text for people and nothing internal. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorBody['details']
  /** For a conflict of versions: the current state of the thing to be changed. */
  readonly current: unknown
  /** Extra answer headers; `unavailable` always has a Retry-After. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a failure (5xx) is logged; not where it is no fault, but what this installation was set up without. */
  readonly isReported: boolean

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorBody['details']
      current?: unknown
      headers?: Record<string, string>
      cause?: unknown
      isReported?: boolean
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.current = options.current
    this.headers = { ...(code === 'unavailable' && retrySoon), ...options.headers }
    this.isReported = options.isReported ?? true
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** True for an AppError, of this code when one is given; by shape, since two copies of the class may be loaded. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  if (!(error instanceof Error) || error.name !== 'AppError') return false
  return code === undefined || (error as AppError).code === code
}

/** The one answer for a thing that does not exist or belongs to another user. */
export const notFound = (message = 'Not found'): AppError => new AppError('not_found', message)

/** A dependency cannot answer now; the caller may try again. */
export const unavailable = (cause?: unknown): AppError =>
  new AppError('unavailable', 'This isn’t available right now. Please try again shortly.', {
    cause,
  })

/** A request takes longer to arrive than it may. */
export const tooSlow = (): AppError =>
  new AppError('request_timeout', 'The request was too slow. Please try again on a faster connection.')
