/** Why a call failed: the server's refusal, or code `network` with status 0 when there was no answer. */
export interface CallFailure {
  readonly status: number
  readonly code: string
  readonly message: string
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number | null | undefined
  /** By which the server's log knows the call. */
  readonly requestId?: string | null | undefined
}

/** True for what a failed call rejects with. */
export function isCallFailure(error: unknown): error is CallFailure {
  if (typeof error !== 'object' || error === null) return false
  const { status, code, message } = error as Record<string, unknown>
  return typeof status === 'number' && typeof code === 'string' && typeof message === 'string'
}
