import { z } from 'zod'
import { filledText, idSchema, listFormat, periodQuery, text, timeSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'

const dateSchema = z.iso.date()
const admin = routesFor('billing', 'admin')
const internal = routesFor('billing', 'service')

/** A UTC day. Credits are integers; days without any values are omitted. */
export const moneyDaySchema = z.object({
  date: dateSchema,
  /** Credits of grants and started plan months. */
  sold: z.number().int(),
  /** Credits captured by the ledger. */
  spent: z.number().int(),
  /** Credits of captures that are recorded in usage. */
  recorded: z.number().int(),
  /** Cost of the day's provider calls at the models' prices at the time, in micro-dollars. */
  providerCost: z.number(),
  /** Spent but not recorded; negative for recorded but not spent. */
  drift: z.number().int(),
})
export type MoneyDay = z.infer<typeof moneyDaySchema>

/** Findings of the daily check: usage that differs from the ledger in credits, or that exceeds the tokens of provider calls. */
export const moneyAlarmKinds = ['ledger', 'provider'] as const
export const moneyAlarmSchema = z.object({
  date: dateSchema,
  kind: z.enum(moneyAlarmKinds),
  expected: z.number(),
  found: z.number(),
  /** When the check found it. */
  at: timeSchema,
})
export type MoneyAlarm = z.infer<typeof moneyAlarmSchema>

/** Areas of rate limits: the web, or API keys. */
export const limitAreas = ['web', 'apiV1'] as const
export type LimitArea = (typeof limitAreas)[number]

const wholeOf = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Routes of credits and money of all users, and of the simulation of rate limits, for admins. */
export const moneyAdminRoutes = {
  money: admin.get('/admin/money', {
    summary: 'Credits sold, spent and recorded, and the cost of providers, by UTC day; the last 30 days by default',
    query: z.object({ ...periodQuery, ...listFormat }),
    answer: z.object({ days: z.array(moneyDaySchema), alarms: z.array(moneyAlarmSchema) }),
  }),
  limitsPreview: admin.get('/admin/limits/preview', {
    summary: 'Simulate limits on the last 7 days of recorded requests per minute',
    query: z.object({
      area: z.enum(limitAreas),
      windowMinutes: wholeOf(1, 1440),
      maxRequests: wholeOf(1, 1_000_000),
    }),
    answer: z.object({
      from: timeSchema,
      to: timeSchema,
      /** Users, networks of guests, or keys that made requests. */
      subjects: z.number().int(),
      /** Subjects that would have been refused any request. */
      limited: z.number().int(),
      /** Requests that would have been refused. */
      refused: z.number().int(),
    }),
  }),
}

/** Requests of one subject in one minute. */
export const requestCountSchema = z.object({
  area: z.enum(limitAreas),
  /** `user:<id>`, `network:<hash>` or `key:<id>`. */
  subject: filledText(200),
  /** Null for guests. */
  userId: text(128).nullable(),
  /** Each kind has its own window. */
  kind: z.enum(['sending', 'reading']),
  /** The multiplier of the setting's limit. */
  times: z.number().int().min(1).max(1_000),
  /** Unix time in minutes. */
  minute: z.number().int().min(0).max(100_000_000),
  count: z.number().int().min(1).max(1_000_000),
})
export type RequestCount = z.infer<typeof requestCountSchema>

/** Internal routes for services that limit requests. */
export const moneyInternalRoutes = {
  countRequests: internal.post('/internal/request-counts', {
    summary: 'Add counts of limited requests per minute; idempotent by id',
    body: z.strictObject({ id: idSchema, counts: z.array(requestCountSchema).max(500) }),
    bodyLimit: 512 * 1024,
    bodyValues: 20_000,
    status: 204,
  }),
}
