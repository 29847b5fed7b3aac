import { z } from 'zod'

/** Text that can be stored and sent on: no NUL (PostgreSQL refuses it) and no lone surrogate (UTF-8 cannot carry it). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Contains characters that can’t be stored')

/** Text that must not be empty once surrounding white space is removed. */
export const filledText = (max: number) => text(max).refine((value) => value.trim() !== '', 'Must not be empty')

/** An opaque identifier made by the server, or by a client for its own message. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Malformed id')

/** The id by which an answer names itself to a program, as a provider made it. */
export const answerIdSchema = z.string().regex(/^[\w.:-]{1,128}$/, 'Malformed id')

/** A UTC time as ISO 8601. */
export const timeSchema = z.iso.datetime()

/** Query of a list that can grow. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: text(200).optional(),
})

/** How a list of admins is answered: as JSON, a page at a time, or as CSV (RFC 4180) with every row that the filters leave. */
export const listFormat = { format: z.enum(['json', 'csv']).optional() }
/** Query of a list of admins that can grow. */
export const adminPageQuerySchema = pageQuerySchema.extend(listFormat)
/** A filter of a query that is on or off. */
export const flagSchema = z.enum(['true', 'false'])

/** Path parameters of a route that names one thing by `:id`. */
export const idParamsSchema = z.object({ id: idSchema })
/** An answer that only says something to people. */
export const messageAnswerSchema = z.object({ message: z.string() })
