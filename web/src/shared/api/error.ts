import type { ErrorBody } from '@parley/contracts'
import { apiLanguage } from './language.ts'

/** Why a call failed. Without a response `status` is 0 and the code is `network` (unreachable) or `timeout`. */
export interface ApiErrorFields {
  readonly status: number
  /** The server's code, or `network`, `timeout`, `unexpected` (a response that is not ours, such as a proxy's). */
  readonly code: string
  /** The server's own text, to be shown unchanged; empty if it sent none. */
  readonly message: string
  readonly requestId: string | null
  readonly details: readonly { readonly path: string; readonly message: string }[]
  /** Seconds to wait, for a 429. */
  readonly retryAfter: number | null
  /** The current state of the changed object, for a 409 about its version. */
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
  /** In which the server's text is. */
  readonly language = apiLanguage()

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

/** Ignores the refusal for something already removed or decided, because that was the goal. Throws any other. */
export function unlessGone(error: unknown): void {
  if (!isApiError(error) || error.status !== 404) throw error
}

/** The text to show: the server's own, or `fallback` if it sent none, or one in a language that has been changed since. */
export const messageOf = (error: unknown, fallback: string): string =>
  isApiError(error) && error.message !== '' && error.language === apiLanguage() ? error.message : fallback

/** What the server says about a field, or `fallback` once the language has been changed; undefined if it said nothing about it. */
export function detailOf(error: unknown, isOfField: (path: string) => boolean, fallback: string): string | undefined {
  if (!isApiError(error)) return undefined
  const detail = error.details.find(({ path }) => isOfField(path))
  return detail && (error.language === apiLanguage() ? detail.message : fallback)
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'

/** Reads an error response and consumes its body. */
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
