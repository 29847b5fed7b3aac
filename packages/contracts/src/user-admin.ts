import { z } from 'zod'
import { accountSummarySchema } from './billing.ts'
import { idParamsSchema, messageAnswerSchema, pageQuerySchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'
import { settingsAnswerSchema, settingsPatchSchema } from './settings.ts'

/** A user as admins see them. */
export const adminUserSchema = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  banned: z.boolean(),
  type: z.enum(['local', 'oauth']),
  createdAt: timeSchema,
  lastLoginAt: timeSchema.nullable(),
  emailVerified: z.boolean(),
  /** Null while billing cannot be reached: the list must not fail with it. */
  plan: accountSummarySchema.shape.plan.nullable(),
  credits: accountSummarySchema.shape.credits.nullable(),
})
export type AdminUser = z.infer<typeof adminUserSchema>

/** Numbers of users; `activeToday` counts from midnight UTC. */
export const adminStatsSchema = z.object({
  totalUsers: z.number(),
  bannedUsers: z.number(),
  activeToday: z.number(),
  oauthUsers: z.number(),
  localUsers: z.number(),
})
/** What somebody did; `actorName` is the name they had then. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: timeSchema,
  actorId: z.string(),
  actorName: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string(),
})

const service = 'auth'
/** Users, settings and the audit log, for admins. */
export const authAdminRoutes = {
  stats: defineRoute({
    method: 'GET',
    path: '/admin/stats',
    service,
    access: 'admin',
    summary: 'Numbers of users',
    answer: z.object({ stats: adminStatsSchema }),
  }),
  users: defineRoute({
    method: 'GET',
    path: '/admin/users',
    service,
    access: 'admin',
    summary: 'Users, with plan and credits',
    query: pageQuerySchema.extend({ query: text(200).optional() }),
    answer: z.object({ users: z.array(adminUserSchema), nextCursor: z.string().nullable() }),
  }),
  updateUser: defineRoute({
    method: 'PATCH',
    path: '/admin/users/:id',
    service,
    access: 'admin',
    summary: 'Ban, unban, grant or remove admin',
    params: idParamsSchema,
    body: z.union([z.strictObject({ banned: z.boolean() }), z.strictObject({ isAdmin: z.boolean() })]),
    answer: z.object({ user: adminUserSchema }),
  }),
  endUserSessions: defineRoute({
    method: 'DELETE',
    path: '/admin/users/:id/sessions',
    service,
    access: 'admin',
    summary: 'Sign a user out everywhere',
    params: idParamsSchema,
    answer: z.object({ ended: z.number() }),
  }),
  settings: defineRoute({
    method: 'GET',
    path: '/admin/settings',
    service,
    access: 'admin',
    summary: 'All settings',
    answer: settingsAnswerSchema,
  }),
  updateSettings: defineRoute({
    method: 'PATCH',
    path: '/admin/settings',
    service,
    access: 'admin',
    summary: 'Change settings; any subset',
    body: settingsPatchSchema,
    answer: settingsAnswerSchema,
  }),
  audit: defineRoute({
    method: 'GET',
    path: '/admin/audit',
    service,
    access: 'admin',
    summary: 'Who changed what, newest first',
    query: pageQuerySchema,
    answer: z.object({ entries: z.array(auditEntrySchema), nextCursor: z.string().nullable() }),
  }),
  clearCaches: defineRoute({
    method: 'POST',
    path: '/admin/cache/clear',
    service,
    access: 'admin',
    summary: 'Have every service drop its caches',
    answer: messageAnswerSchema,
  }),
}
