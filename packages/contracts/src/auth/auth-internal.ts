import { z } from 'zod'
import { locales } from '../constants.ts'
import { adminActed } from '../events.ts'
import { rightsSchema } from '../identity.ts'
import { idSchema, text, timeSchema } from '../primitives.ts'
import { routesFor, serviceNames } from '../route.ts'
import { settingsAnswerSchema } from './settings.ts'
import { codeSchema } from './user.ts'

const internal = routesFor('auth', 'service')
/** Whether a session is active, and the user's rights; for the gateway and realtime. */
export const principalAnswerSchema = z.object({
  active: z.boolean(),
  rights: rightsSchema,
})
/** The recipient of a mail. */
const recipientSchema = z.object({ to: z.string(), username: z.string(), locale: z.enum(locales) })
/** Users per search among given ids. */
export const maxAmong = 5_000
/** Results of a search among all users. */
export const mostMatches = 200
/** Internal routes of auth. */
export const authInternalRoutes = {
  principal: internal.get('/internal/principals/:userId/:sessionId', {
    summary: 'Rights of a user in a session',
    params: z.object({ userId: idSchema, sessionId: idSchema }),
    answer: principalAnswerSchema,
  }),
  rights: internal.get('/internal/users/:id/rights', {
    summary: 'Rights of a user, for requests without a session; 404 for an unknown user',
    answer: z.object({ rights: rightsSchema }),
  }),
  /** For admin lists in other services. */
  usernames: internal.post('/internal/usernames', {
    bodyLimit: 512 * 1024,
    summary:
      'Names of users by id, or a search for users by part of a name or address: up to 200, or all of the given ones',
    body: z.object({
      userIds: z.array(idSchema).max(200),
      query: text(200).optional(),
      /** Restricts the search to these. */
      among: z.array(idSchema).max(maxAmong).optional(),
    }),
    answer: z.object({
      users: z.array(z.object({ userId: z.string(), username: z.string() })),
      matches: z.array(z.string()),
    }),
  }),
  settings: internal.get('/internal/settings', {
    summary: 'All settings with their version',
    answer: z.object({ version: z.number(), settings: settingsAnswerSchema }),
  }),
  recordAct: internal.post('/internal/audit-entries', {
    summary: "Record an admin's act in a service without events in the audit log; idempotent by id",
    body: z.strictObject({ ...adminActed, id: idSchema, at: timeSchema }),
    status: 204,
  }),
  issueCode: internal.post('/internal/verifications/:id/code', {
    summary:
      'Create the code for the mail. Only its hash is stored, so that no code is in an event or log; another call replaces it. 404 if the verification is over',
    answer: recipientSchema.extend({ code: codeSchema, expiresAt: timeSchema }),
  }),
  issuePasswordReset: internal.post('/internal/password-resets/:id/token', {
    summary:
      'Create the token for the mailed link. Only its hash is stored; another call replaces it. 404 if nobody has the address or the request is over',
    answer: recipientSchema.extend({ token: z.string(), expiresAt: timeSchema }),
  }),
  issueDataExportLink: internal.post('/internal/data-exports/:id/token', {
    summary: 'Create the token for the mailed link, as for a password reset. 404 if the export is gone',
    answer: recipientSchema.extend({ token: z.string(), expiresAt: timeSchema }),
  }),
  recipient: internal.get('/internal/users/:id/recipient', {
    summary: 'Recipient of mails to a user; 404 for an unknown user',
    answer: recipientSchema,
  }),
  erasure: internal.get('/internal/erasures/:id', {
    summary: 'Recipient of the receipt of an erasure; 404 if no longer known',
    answer: recipientSchema.extend({ erasedAt: timeSchema }),
  }),
  acknowledgeErasure: internal.post('/internal/erasures/:id/acknowledgements', {
    summary: 'Acknowledge that a service has erased a user; idempotent',
    body: z.strictObject({ service: z.enum(serviceNames) }),
    status: 204,
  }),
  contributeToExport: internal.post('/internal/data-exports/:id/contributions', {
    summary:
      'Contribute files of a service to a data export, in consecutive calls. A file has one or several numbered parts. 404 if they are no longer expected: the contribution is complete, another run has begun, or the export is gone',
    body: z.strictObject({
      service: z.enum(serviceNames),
      /** Id of one run of collecting the service's files. */
      run: idSchema,
      /** Number of the call in its run; repeating a number replaces that call. Call 0 drops the files of earlier runs. */
      call: z.number().int().min(0),
      pieces: z
        .array(
          z.strictObject({
            /** Path in the ZIP, such as `chats/title.md`. */
            path: z
              .string()
              .regex(/^(?!.*\.\.)[\p{L}\p{M}\p{N}_ .()-]+(\/[\p{L}\p{M}\p{N}_ .()-]+)*$/u)
              .max(200),
            piece: z.number().int().min(0),
            data: z.base64(),
          }),
        )
        .max(1_000),
      /** Ends the contribution. */
      last: z.boolean(),
    }),
    bodyLimit: 8 * 1024 * 1024,
    status: 204,
  }),
  emailChange: internal.get('/internal/email-changes/:id', {
    summary: 'Recipient of the notice that an account has given up this address; 404 if no longer known',
    answer: recipientSchema.extend({ changedAt: timeSchema }),
  }),
}
