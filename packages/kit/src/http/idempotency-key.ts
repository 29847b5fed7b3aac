import { validationFailed } from './mount.ts'

const form = /^[\x21-\x7e]{1,255}$/

/** The `Idempotency-Key` header; null without one. @throws AppError validation_failed when malformed */
export function readIdempotencyKey(header: unknown): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && form.test(header)) return header
  throw validationFailed([{ path: 'idempotency-key', message: 'Malformed Idempotency-Key' }])
}
