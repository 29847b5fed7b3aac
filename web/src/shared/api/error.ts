import type { ErrorBody } from '@parley/contracts'

/** Why a call failed. `status` is 0 when there was no answer: code `network` (unreachable) or `timeout`. */
export interface ApiErrorFields {
  readonly status: number
  /** The server's code, or `network`, `timeout`, `unexpected` (an answer that is not ours, a proxy's for example). */
  readonly code: string
  /** The server's own words, to be shown as they come; empty when it gave none. */
  readonly message: string
  readonly requestId: string | null
  readonly details: readonly { readonly path: string; readonly message: string }[]
  /** Seconds to wait, of a 429. */
  readonly retryAfter: number | null
  /** What stands now in the place of what was to be changed, of a 409 about a version. */
  readonly current: unknown
}

/** A failed call. Compare by `code`. */
export class ApiError extends Error implements ApiErrorFields {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly details: ApiErrorFields['details']
  readonly retryAfter: number | null
  readonly current: unknown

  constructor(fields: Partial<ApiErrorFields> & Pick<ApiErrorFields, 'status' | 'code'>) {
    super(fields.message ?? '')
    this.name = 'ApiError'
    this.status = fields.status
    this.code = fields.code
    this.requestId = fields.requestId ?? null
    this.details = fields.details ?? []
    this.retryAfter = fields.retryAfter ?? null
    this.current = fields.current
  }
}

/** Narrows anything thrown to an ApiError. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError

/** What to show: the server's own words, or `fallback` when it gave none. */
export const messageOf = (error: unknown, fallback: string): string =>
  isApiError(error) && error.message !== '' ? error.message : fallback

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'

/** Reads a failed answer; its body is consumed. */
export async function readApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const known = isErrorBody(body) ? body : null
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    status: response.status,
    code: known?.code ?? 'unexpected',
    message: known?.error ?? '',
    requestId: known?.requestId ?? response.headers.get('x-request-id'),
    details: known?.details ?? [],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
    current: known && 'current' in known ? known.current : undefined,
  })
}
