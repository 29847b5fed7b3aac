import { z } from 'zod'
import { idSchema, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

const dateSchema = z.iso.date()
const service = 'billing'

/** One day of UTC. Credits are whole; days without any of it are left out. */
export const moneyDaySchema = z.object({
  date: dateSchema,
  /** Credits of grants and of plan months that began. */
  sold: z.number().int(),
  /** Credits captured by the ledger. */
  spent: z.number().int(),
  /** Credits of those captures that usage recorded. */
  recorded: z.number().int(),
  /** What providers charge for the day's calls by the prices that their models had then; micro-dollars. */
  providerCost: z.number(),
  /** Spent but not recorded; below 0 for recorded but not spent. */
  drift: z.number().int(),
})
export type MoneyDay = z.infer<typeof moneyDaySchema>

/** What the daily check may find: usage beside the ledger in credits, or tokens of usage beyond those of provider calls. */
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

/** What recorded requests are limited by: the web's window, or that of API keys. */
export const limitAreas = ['web', 'apiV1'] as const
export type LimitArea = (typeof limitAreas)[number]

const wholeOf = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Credits and money of everybody, and what other limits would have come to, for admins. */
export const moneyAdminRoutes = {
  money: defineRoute({
    method: 'GET',
    path: '/admin/money',
    service,
    access: 'admin',
    summary: 'Credits sold, spent and recorded, and the cost of providers, by day of UTC; the last 30 days unless told',
    query: z.object({ from: timeSchema.or(dateSchema).optional(), to: timeSchema.or(dateSchema).optional() }),
    answer: z.object({ days: z.array(moneyDaySchema), alarms: z.array(moneyAlarmSchema) }),
  }),
  limitsPreview: defineRoute({
    method: 'GET',
    path: '/admin/limits/preview',
    service,
    access: 'admin',
    summary: 'Whom these limits would have limited in the last 7 days, from recorded counts per minute',
    query: z.object({
      area: z.enum(limitAreas),
      windowMinutes: wholeOf(1, 1440),
      maxRequests: wholeOf(1, 1_000_000),
    }),
    answer: z.object({
      from: timeSchema,
      to: timeSchema,
      /** Users, networks of guests, or keys, that made any request. */
      subjects: z.number().int(),
      /** Of them, those that would have been refused any. */
      limited: z.number().int(),
      /** Requests. */
      refused: z.number().int(),
    }),
  }),
}

/** Requests of one subject in one minute. */
export const requestCountSchema = z.object({
  area: z.enum(limitAreas),
  /** `user:<id>`, `network:<hash>` or `key:<id>`. */
  subject: z.string().min(1).max(200),
  /** Whose they are; null for guests. */
  userId: z.string().max(128).nullable(),
  /** Windows are counted apart by it. */
  kind: z.enum(['sending', 'reading']),
  /** The limit of the settings times this holds. */
  times: z.number().int().min(1).max(1_000),
  /** Minutes since 1970. */
  minute: z.number().int().min(0).max(100_000_000),
  count: z.number().int().min(1).max(1_000_000),
})
export type RequestCount = z.infer<typeof requestCountSchema>

/** What services that limit requests tell. */
export const moneyInternalRoutes = {
  countRequests: defineRoute({
    method: 'POST',
    path: '/internal/request-counts',
    service,
    access: 'service',
    summary: 'Add limited requests to those of their minutes; again with the same id does nothing',
    body: z.strictObject({ id: idSchema, counts: z.array(requestCountSchema).max(500) }),
    bodyLimit: 512 * 1024,
    bodyValues: 20_000,
    status: 204,
  }),
}
