import { z } from 'zod'
import { maxDisplayName } from '../constants.ts'
import { messageAnswerSchema, text, timeSchema } from '../primitives.ts'
import { routesFor } from '../route.ts'
import {
  dataExportSchema,
  passwordSchema,
  preferencesSchema,
  sessionSchema,
  usernameSchema,
  userSchema,
} from './user.ts'

const userAnswerSchema = z.object({ user: userSchema })
const user = routesFor('auth', 'user')
const anyone = routesFor('auth', 'public')
/** Routes of a user's own account. */
export const accountRoutes = {
  profile: user.get('/user/profile', {
    viewable: true,
    bannedAllowed: true,
    summary: 'The signed-in user',
    answer: userAnswerSchema,
  }),
  updateProfile: user.patch('/user/profile', {
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
  sessions: user.get('/user/sessions', {
    summary: 'Sessions of the signed-in user',
    answer: z.object({ sessions: z.array(sessionSchema) }),
  }),
  endSession: user.delete('/user/sessions/:id', {
    summary: 'Sign a device out',
    status: 204,
  }),
  endOtherSessions: user.delete('/user/sessions', {
    summary: 'Sign every other device out',
    answer: z.object({ ended: z.number() }),
  }),
  changePassword: user.post('/user/change-password', {
    limited: 'account',
    summary: 'Change the password; every other device is signed out',
    body: z.strictObject({ currentPassword: text(1024).min(1), newPassword: passwordSchema }),
    answer: messageAnswerSchema,
  }),
  deleteAccount: user.delete('/user', {
    limited: 'account',
    summary:
      'Erase the account and all its data in every service. An account without a password needs a sign-in within the last ten minutes',
    body: z.strictObject({ password: text(1024).min(1).optional() }),
    bodyOptional: true,
    answer: messageAnswerSchema,
    status: 202,
  }),
  dataExport: user.get('/user/data-export', {
    summary: 'The last requested data export, and when the next one is allowed',
    answer: z.object({ dataExport: dataExportSchema.nullable(), nextAllowedAt: timeSchema.nullable() }),
  }),
  requestDataExport: user.post('/user/data-export', {
    limited: 'account',
    summary: 'Request a data export, whose link is sent by e-mail. 429 cooldown during the cooldown',
    answer: messageAnswerSchema,
    status: 202,
  }),
  downloadDataExport: anyone.post('/user/data-export/:id', {
    limited: 'account',
    summary: 'Download the ZIP of a data export, authorised by the token of the mailed link',
    body: z.strictObject({ token: text(200) }),
    stream: true,
    types: ['application/zip'],
  }),
  /** For links mailed by an earlier version. They expire after 7 days; a later version removes this route. */
  followDataExport: anyone.get('/user/data-export/:id', {
    limited: 'account',
    summary: 'Download the ZIP by a link of an earlier version, with the token in its query',
    query: z.object({ token: text(200) }),
    stream: true,
    types: ['application/zip'],
  }),
}
