import { z } from 'zod'
import { maxDisplayName } from './constants.ts'
import { idParamsSchema, messageAnswerSchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'
import {
  dataExportSchema,
  passwordSchema,
  preferencesSchema,
  sessionSchema,
  usernameSchema,
  userSchema,
} from './user.ts'

const userAnswerSchema = z.object({ user: userSchema })
const service = 'auth'
/** A user's own account. */
export const accountRoutes = {
  profile: defineRoute({
    method: 'GET',
    path: '/user/profile',
    service,
    access: 'user',
    viewable: true,
    bannedAllowed: true,
    summary: 'The signed-in user',
    answer: userAnswerSchema,
  }),
  updateProfile: defineRoute({
    method: 'PATCH',
    path: '/user/profile',
    service,
    access: 'user',
    summary: 'Change name or preferences',
    body: z
      .strictObject({
        username: usernameSchema,
        displayName: text(maxDisplayName).nullable(),
        preferences: preferencesSchema.partial(),
      })
      .partial(),
    answer: userAnswerSchema,
  }),
  sessions: defineRoute({
    method: 'GET',
    path: '/user/sessions',
    service,
    access: 'user',
    summary: 'Where the user is signed in',
    answer: z.object({ sessions: z.array(sessionSchema) }),
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/user/sessions/:id',
    service,
    access: 'user',
    summary: 'Sign a device out',
    params: idParamsSchema,
    status: 204,
  }),
  endOtherSessions: defineRoute({
    method: 'DELETE',
    path: '/user/sessions',
    service,
    access: 'user',
    summary: 'Sign every other device out',
    answer: z.object({ ended: z.number() }),
  }),
  changePassword: defineRoute({
    method: 'POST',
    path: '/user/change-password',
    service,
    access: 'user',
    limited: true,
    summary: 'Set another password; every other device is signed out',
    body: z.strictObject({ currentPassword: text(1024).min(1), newPassword: passwordSchema }),
    answer: messageAnswerSchema,
  }),
  deleteAccount: defineRoute({
    method: 'DELETE',
    path: '/user',
    service,
    access: 'user',
    limited: true,
    summary:
      'Erase the account and everything it owns in every service. Without a password of its own it takes a sign-in of the last ten minutes',
    body: z.strictObject({ password: text(1024).min(1).optional() }),
    bodyOptional: true,
    answer: messageAnswerSchema,
    status: 202,
  }),
  dataExport: defineRoute({
    method: 'GET',
    path: '/user/data-export',
    service,
    access: 'user',
    summary: 'The last copy of their data that the user asked for, and when another one can be',
    answer: z.object({ dataExport: dataExportSchema.nullable(), nextAllowedAt: timeSchema.nullable() }),
  }),
  requestDataExport: defineRoute({
    method: 'POST',
    path: '/user/data-export',
    service,
    access: 'user',
    limited: true,
    summary: 'Have a copy of all own data put together; its link comes by e-mail. 429 cooldown inside the cooldown',
    answer: messageAnswerSchema,
    status: 202,
  }),
  downloadDataExport: defineRoute({
    method: 'POST',
    path: '/user/data-export/:id',
    service,
    access: 'public',
    limited: true,
    summary: 'The ZIP of the mailed link, whose token is the right to it',
    params: idParamsSchema,
    body: z.strictObject({ token: text(200) }),
    stream: true,
  }),
  /** Of links that an earlier version mailed. They live for 7 days; a later version does without. */
  followDataExport: defineRoute({
    method: 'GET',
    path: '/user/data-export/:id',
    service,
    access: 'public',
    limited: true,
    summary: 'The same by a link of an earlier version, whose token is in its query',
    params: idParamsSchema,
    query: z.object({ token: text(200) }),
    stream: true,
  }),
}
