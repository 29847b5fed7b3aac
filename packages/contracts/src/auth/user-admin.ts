import { z } from 'zod'
import { accountSummarySchema, accountTotalsSchema } from '../billing/billing.ts'
import { adminPageQuerySchema, flagSchema, idSchema, messageAnswerSchema, text, timeSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'
import { adminSettingsSchema, settingsPatchSchema } from './settings.ts'
import { userSchema } from './user.ts'

/** A user, for admins. */
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
  /** Null while billing is unavailable, so that the list does not fail. */
  plan: accountSummarySchema.shape.plan.nullable(),
  credits: accountSummarySchema.shape.credits.nullable(),
})
export type AdminUser = z.infer<typeof adminUserSchema>

/** Numbers of users; `activeToday` counts from midnight UTC. */
export const adminStatsSchema = z.object({
  totalUsers: z.number(),
  /** Registered in the last seven days. */
  newUsers: z.number(),
  bannedUsers: z.number(),
  /** Of the banned users, those banned in the last seven days. */
  newlyBanned: z.number(),
  activeToday: z.number(),
  oauthUsers: z.number(),
  localUsers: z.number(),
})
/** Numbers of active users, by UTC day. */
export const activeUsersSchema = z.object({
  /** Today and the 29 days before. */
  last30Days: z.number().int(),
  /** These days, oldest first; days without active users are omitted. */
  days: z.array(z.object({ date: z.iso.date(), users: z.number().int() })),
})
export type ActiveUsers = z.infer<typeof activeUsersSchema>
/** Sort orders of users. */
export const userOrders = ['createdAt', 'username', 'lastLoginAt'] as const

const admin = routesFor('auth', 'admin')
/** Routes of users and settings, for admins. */
export const authAdminRoutes = {
  stats: admin.get('/admin/stats', {
    summary: 'Numbers of users',
    answer: z.object({ stats: adminStatsSchema }),
  }),
  activeUsers: admin.get('/admin/active-users', {
    summary: 'Active users in the last 30 days, in total and by day',
    answer: activeUsersSchema,
  }),
  users: admin.get('/admin/users', {
    summary: 'Users, with plan and credits',
    query: adminPageQuerySchema.extend({
      /** Part of a username or address, matched literally. */
      query: text(200).optional(),
      banned: flagSchema.optional(),
      admin: flagSchema.optional(),
      type: adminUserSchema.shape.type.optional(),
      /** Id of a plan. */
      plan: idSchema.optional(),
      sort: z.enum(userOrders).default('createdAt'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    answer: z.object({ users: z.array(adminUserSchema), nextCursor: z.string().nullable() }),
  }),
  updateUser: admin.patch('/admin/users/:id', {
    summary: 'Ban, unban, grant or remove admin',
    body: z.union([z.strictObject({ banned: z.boolean() }), z.strictObject({ isAdmin: z.boolean() })]),
    answer: z.object({ user: adminUserSchema }),
  }),
  user: admin.get('/admin/users/:id', {
    summary: 'A user, with numbers of sessions and API keys and total usage; never with chats',
    answer: z.object({
      user: adminUserSchema,
      sessions: z.number().int(),
      /** Null while billing is unavailable, as is `usage`. */
      keys: accountTotalsSchema.shape.keys.nullable(),
      usage: accountTotalsSchema.shape.usage.nullable(),
    }),
  }),
  endUserSessions: admin.post('/admin/users/:id/sessions/end', {
    summary: 'Sign a user out everywhere',
    answer: z.object({ ended: z.number() }),
  }),
  resendVerification: admin.post('/admin/users/:id/resend-verification', {
    summary:
      'Mail another code to a user whose address is not confirmed. 409 if it is, 429 within a minute of the last one or after 20 in a day',
    answer: z.object({ user: adminUserSchema }),
  }),
  viewAs: admin.post('/admin/users/:id/view-as', {
    summary: 'A read-only token of 15 minutes for viewing the account, plan, credits and keys as the user; never chats',
    answer: z.object({ token: z.string(), user: userSchema, expiresAt: timeSchema }),
  }),
  settings: admin.get('/admin/settings', {
    summary: 'All settings',
    answer: adminSettingsSchema,
  }),
  updateSettings: admin.patch('/admin/settings', {
    summary: 'Change settings; any subset, merged deeply. 409 if `version` is not current',
    body: settingsPatchSchema,
    answer: adminSettingsSchema,
  }),
  clearCaches: admin.post('/admin/cache/clear', {
    summary: 'Clear the caches of all services',
    answer: messageAnswerSchema,
  }),
}
