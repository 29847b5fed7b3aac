import { z } from 'zod'

/** Every error code with its HTTP status. */
export const errorStatus = {
  validation_failed: 400,
  invalid_ticker: 400,
  unauthenticated: 401,
  token_expired: 401,
  guest_not_allowed: 401,
  password_required: 401,
  insufficient_credits: 402,
  account_banned: 403,
  forbidden: 403,
  email_unverified: 403,
  registration_disabled: 403,
  guest_mode_disabled: 403,
  model_locked: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  username_taken: 409,
  email_taken: 409,
  duplicate_message: 409,
  payload_too_large: 413,
  unsupported_media: 415,
  misdirected_request: 421,
  invalid_model_data: 422,
  not_reversible: 422,
  rate_limited: 429,
  guest_limit_reached: 429,
  cooldown: 429,
  headers_too_large: 431,
  internal_error: 500,
  provider_error: 502,
  unavailable: 503,
  provider_timeout: 504,
} as const

/** A key of `errorStatus`. */
export type ErrorCode = keyof typeof errorStatus

/** All error codes. */
export const errorCodes = Object.keys(errorStatus) as ErrorCode[]

/** An invalid field; the parts of `path` are joined by dots. */
export const errorDetailSchema = z.object({ path: z.string(), message: z.string() })

/** The body of every error response. `error` is for display, `code` for programs. */
export const errorBodySchema = z.object({
  error: z.string(),
  code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]),
  requestId: z.string(),
  details: z.array(errorDetailSchema).optional(),
  /** The present state, with a version conflict or a refused undo. */
  current: z.unknown().optional(),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
