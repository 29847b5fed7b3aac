import { z } from 'zod'
import {
  adminPageQuerySchema,
  answerIdSchema,
  listFormat,
  pageQuerySchema,
  periodQuery,
  text,
  timeSchema,
} from '../primitives.ts'
import { routesFor } from '../route.ts'

const dateSchema = z.iso.date()

/** Requests and their tokens. */
export const requestTotals = {
  requests: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
}
const usageTotals = {
  ...requestTotals,
  credits: z.number().int(),
  /** True if any token count is an estimate. */
  estimated: z.boolean(),
}
/** A user's usage in a period, by web and by key. Days are UTC; those without usage are omitted. */
export const userUsageSchema = z.object({
  models: z.array(z.object({ model: z.string(), ...usageTotals })),
  days: z.array(z.object({ date: dateSchema, ...usageTotals })),
})
export type UserUsage = z.infer<typeof userUsageSchema>

/** Outcomes of a generation, which explain its cost. */
export const receiptOutcomes = ['complete', 'stopped', 'interrupted', 'failed', 'no_output'] as const
/** The credits held, charged and released for a generation. */
export const receiptSchema = z.object({
  /** The answer's message id on the web, or the completion's id by key. */
  generationId: z.string(),
  at: timeSchema,
  model: z.string(),
  source: z.enum(['web', 'key', 'image']),
  keyId: z.string().optional(),
  held: z.number().int(),
  charged: z.number().int(),
  released: z.number().int(),
  outcome: z.enum(receiptOutcomes),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  estimated: z.boolean(),
  /** The user's balance afterwards. */
  balanceAfter: z.number().int(),
  /** One sentence for display. */
  reason: z.string(),
})
export type Receipt = z.infer<typeof receiptSchema>

const user = routesFor('billing', 'user')
const admin = routesFor('billing', 'admin')
const receiptsQuery = pageQuerySchema.extend(periodQuery)
const receiptsAnswer = z.object({ items: z.array(receiptSchema), nextCursor: z.string().nullable() })
/** Routes of the caller's usage and receipts. */
export const usageRoutes = {
  usage: user.get('/user/usage', {
    viewable: true,
    summary: "The user's usage, by model and day; the last 30 days by default",
    query: z.object(periodQuery),
    answer: userUsageSchema,
  }),
  receipts: user.get('/user/receipts', {
    viewable: true,
    summary: 'Receipts of generations, newest first',
    query: receiptsQuery,
    answer: receiptsAnswer,
  }),
  receipt: user.get('/user/receipts/:generationId', {
    viewable: true,
    summary: "The receipt of a generation, by its id or the id in a program's answer",
    params: z.object({ generationId: answerIdSchema }),
    answer: receiptSchema,
  }),
}

/** Groupings of `/admin/usage`. */
export const usageDivisions = ['day', 'model', 'user', 'key'] as const
/** A group in the usage of all users. */
export const usageItemSchema = z.object({
  /** The date, the model, the user's id or the key's id, according to `by`. */
  id: text(200),
  ...usageTotals,
  /** Of these requests and credits, those of programs with an API key; of a day or a model. */
  keyRequests: z.number().int().optional(),
  keyCredits: z.number().int().optional(),
  errors: z.number().int(),
  averageResponseMs: z.number().int(),
  days: z.array(z.object({ date: dateSchema, requests: z.number().int(), credits: z.number().int() })),
})
/** Time to the first token in milliseconds, median and 95th percentile, within 5 %. */
export const firstTokenSchema = z.object({
  answers: z.number().int(),
  p50Ms: z.number().int(),
  p95Ms: z.number().int(),
})
export type FirstToken = z.infer<typeof firstTokenSchema>
/** Routes of the usage of all users, for admins. */
export const usageAdminRoutes = {
  usage: admin.get('/admin/usage', {
    summary: 'Usage of a period, by day and by the requested grouping; the last 30 days by default',
    query: z.object({
      ...periodQuery,
      by: z.enum(usageDivisions).default('day'),
      ...adminPageQuerySchema.shape,
    }),
    answer: z.object({
      /** All days in order, or a page of the other groupings by number of requests, descending. */
      items: z.array(usageItemSchema),
      /** Null on the last page, and for days, which are not paged. */
      nextCursor: z.string().nullable(),
    }),
  }),
  firstToken: admin.get('/admin/first-token', {
    summary: 'Time to the first token of answers on the web, in total and by day; the last 30 days by default',
    query: z.object(periodQuery),
    answer: z.object({
      /** Null without answers; such days are omitted. */
      total: firstTokenSchema.nullable(),
      days: z.array(firstTokenSchema.extend({ date: dateSchema })),
    }),
  }),
  userUsage: admin.get('/admin/users/:id/usage', {
    summary: "A user's usage, by model and day; the last 30 days by default",
    query: z.object(periodQuery),
    answer: userUsageSchema,
  }),
  receipts: admin.get('/admin/users/:id/receipts', {
    summary: "Receipts of a user's generations, newest first",
    query: receiptsQuery.extend(listFormat),
    answer: receiptsAnswer,
  }),
}
