/** Why a call failed: the server's refusal, or code `network` with status 0 without a response. */
export interface CallFailure {
  readonly status: number
  readonly code: string
  readonly message: string
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number | null | undefined
  /** Id of the call in the server's log. */
  readonly requestId?: string | null | undefined
}

export function isCallFailure(error: unknown): error is CallFailure {
  if (typeof error !== 'object' || error === null) return false
  const { status, code, message } = error as Record<string, unknown>
  return typeof status === 'number' && typeof code === 'string' && typeof message === 'string'
}
