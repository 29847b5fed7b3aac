import { z } from 'zod'

/** Text that can be stored and transmitted: without NUL (refused by PostgreSQL) and lone surrogates (invalid in UTF-8). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Contains characters that can’t be stored')

/** Text that is not empty after trimming. */
export const filledText = (max: number) => text(max).refine((value) => value.trim() !== '', 'Must not be empty')

/** An opaque id, created by the server, or by a client for its own message. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Malformed id')

/** The id of an answer for programs, in the provider's format. */
export const answerIdSchema = z.string().regex(/^[\w.:-]{1,128}$/, 'Malformed id')

/** A UTC time as ISO 8601. */
export const timeSchema = z.iso.datetime()

/** A UTC day or time in a query, of the years 2 to 9998: a month earlier or a day later is still one that `Date` and PostgreSQL write alike. */
const dayOrTimeSchema = timeSchema.or(z.iso.date()).refine((given) => given >= '0002' && given < '9999')

/** The period of a query: a day as its end is included, a time is not. */
export const periodQuery = { from: dayOrTimeSchema.optional(), to: dayOrTimeSchema.optional() }

/** Query of a paged list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: text(200).optional(),
})

/** Makes a repeated request answered as the first one. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({ description: 'The same key and body are answered once and charged once, for 24 hours' }),
})

/** The format of an admin list: pages of JSON, or CSV (RFC 4180) with all filtered rows. */
export const listFormat = { format: z.enum(['json', 'csv']).optional() }
/** Query of a paged admin list. */
export const adminPageQuerySchema = pageQuerySchema.extend(listFormat)
/** A boolean filter in a query. */
export const flagSchema = z.enum(['true', 'false'])

/** Path parameters of a route with `:id`. */
export const idParamsSchema = z.object({ id: idSchema })
/** An answer with nothing but a message for display. */
export const messageAnswerSchema = z.object({ message: z.string() })
