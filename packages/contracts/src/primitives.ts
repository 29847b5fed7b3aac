import { z } from 'zod'

/** Text that can be stored and sent on: no NUL (PostgreSQL refuses it) and no lone surrogate (UTF-8 cannot carry it). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Contains characters that cannot be stored')

/** Text that must not be empty once surrounding white space is removed. */
export const filledText = (max: number) => text(max).refine((value) => value.trim() !== '', 'Must not be empty')

/** An opaque identifier made by the server, or by a client for its own message. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Malformed id')

/** A UTC time as ISO 8601. */
export const timeSchema = z.iso.datetime()

/** Query of a list that can grow. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: text(200).optional(),
})

/** Path parameters of a route that names one thing by `:id`. */
export const idParamsSchema = z.object({ id: idSchema })
/** An answer that only says something to people. */
export const messageAnswerSchema = z.object({ message: z.string() })
