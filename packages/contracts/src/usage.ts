import { z } from 'zod'
import {
  adminPageQuerySchema,
  answerIdSchema,
  idSchema,
  listFormat,
  pageQuerySchema,
  text,
  timeSchema,
} from './primitives.ts'
import { defineRoute } from './route.ts'

const dateSchema = z.iso.date()
const period = { from: timeSchema.or(dateSchema).optional(), to: timeSchema.or(dateSchema).optional() }

const usageTotals = {
  requests: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  credits: z.number().int(),
  /** A count of tokens in it was estimated. */
  estimated: z.boolean(),
}
/** A user's use of a period, by web and by key. Days are UTC; those without use are left out. */
export const userUsageSchema = z.object({
  models: z.array(z.object({ model: z.string(), ...usageTotals })),
  days: z.array(z.object({ date: dateSchema, ...usageTotals })),
})
export type UserUsage = z.infer<typeof userUsageSchema>

/** Why a generation cost what it did. */
export const receiptOutcomes = ['complete', 'stopped', 'interrupted', 'failed', 'no_output'] as const
/** What one generation held, cost and gave back, in credits. */
export const receiptSchema = z.object({
  /** The answer's message id on the web, the completion's id by key. */
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
  /** What the user could spend afterwards. */
  balanceAfter: z.number().int(),
  /** One sentence for its reader. */
  reason: z.string(),
})
export type Receipt = z.infer<typeof receiptSchema>

const service = 'billing'
const receiptsQuery = pageQuerySchema.extend(period)
const receiptsAnswer = z.object({ items: z.array(receiptSchema), nextCursor: z.string().nullable() })
/** What one used and what it cost. */
export const usageRoutes = {
  usage: defineRoute({
    method: 'GET',
    path: '/user/usage',
    service,
    access: 'user',
    viewable: true,
    summary: 'What the signed-in user used, by model and day; the last 30 days unless told',
    query: z.object(period),
    answer: userUsageSchema,
  }),
  receipts: defineRoute({
    method: 'GET',
    path: '/user/receipts',
    service,
    access: 'user',
    viewable: true,
    summary: 'What each generation cost and why, newest first',
    query: receiptsQuery,
    answer: receiptsAnswer,
  }),
  receipt: defineRoute({
    method: 'GET',
    path: '/user/receipts/:generationId',
    service,
    access: 'user',
    viewable: true,
    summary: 'What one generation cost and why, also by the id of the answer that a program was given',
    params: z.object({ generationId: answerIdSchema }),
    answer: receiptSchema,
  }),
}

/** How the time series of `/admin/usage` is divided. */
export const usageDivisions = ['day', 'model', 'user', 'key'] as const
/** A line of the usage of everybody. */
export const usageItemSchema = z.object({
  /** The date, the model, the user's id or the key's id, as `by` says. */
  id: text(200),
  ...usageTotals,
  errors: z.number().int(),
  averageResponseMs: z.number().int(),
  days: z.array(z.object({ date: dateSchema, requests: z.number().int(), credits: z.number().int() })),
})
/** How soon answers began to be seen: half of them, and 19 of 20, within so many milliseconds, give or take 5 %. */
export const firstTokenSchema = z.object({
  answers: z.number().int(),
  p50Ms: z.number().int(),
  p95Ms: z.number().int(),
})
export type FirstToken = z.infer<typeof firstTokenSchema>
/** Usage of everybody, for admins. */
export const usageAdminRoutes = {
  usage: defineRoute({
    method: 'GET',
    path: '/admin/usage',
    service,
    access: 'admin',
    summary: 'Usage of a period, summed by day and by what is asked for; the last 30 days unless told',
    query: z.object({
      ...period,
      by: z.enum(usageDivisions).default('day'),
      ...adminPageQuerySchema.shape,
    }),
    answer: z.object({
      /** Every day in order, else a page of those with the most requests, the most first. */
      items: z.array(usageItemSchema),
      /** Null behind the last, and of days, which come all at once. */
      nextCursor: z.string().nullable(),
    }),
  }),
  firstToken: defineRoute({
    method: 'GET',
    path: '/admin/first-token',
    service,
    access: 'admin',
    summary: 'How soon answers on the web began to be seen, in all and by day; the last 30 days unless told',
    query: z.object(period),
    answer: z.object({
      /** Null without an answer, as days are left out. */
      total: firstTokenSchema.nullable(),
      days: z.array(firstTokenSchema.extend({ date: dateSchema })),
    }),
  }),
  userUsage: defineRoute({
    method: 'GET',
    path: '/admin/users/:id/usage',
    service,
    access: 'admin',
    summary: 'What a user used, by model and day; the last 30 days unless told',
    params: z.object({ id: idSchema }),
    query: z.object(period),
    answer: userUsageSchema,
  }),
  receipts: defineRoute({
    method: 'GET',
    path: '/admin/users/:id/receipts',
    service,
    access: 'admin',
    summary: "What each of a user's generations cost and why, newest first",
    params: z.object({ id: idSchema }),
    query: receiptsQuery.extend(listFormat),
    answer: receiptsAnswer,
  }),
}
