import { z } from 'zod'
import { locales } from './constants.ts'
import { adminActed } from './events.ts'
import { rightsSchema } from './identity.ts'
import { idParamsSchema, idSchema, text, timeSchema } from './primitives.ts'
import { defineRoute, serviceNames } from './route.ts'
import { settingsAnswerSchema } from './settings.ts'
import { codeSchema } from './user.ts'

const service = 'auth'
/** Asked by the gateway and realtime: is this session alive, and what may the user do. */
export const principalAnswerSchema = z.object({
  active: z.boolean(),
  rights: rightsSchema,
})
/** Whom a mail goes to. */
const recipientSchema = z.object({ to: z.string(), username: z.string(), locale: z.enum(locales) })
/** Users that are searched in one call. */
export const maxAmong = 5_000
/** Users that a search among all tells of. */
export const mostMatches = 200
/** What other services ask of auth. */
export const authInternalRoutes = {
  principal: defineRoute({
    method: 'GET',
    path: '/internal/principals/:userId/:sessionId',
    service,
    access: 'service',
    summary: 'Rights of a user in a session',
    params: z.object({ userId: idSchema, sessionId: idSchema }),
    answer: principalAnswerSchema,
  }),
  rights: defineRoute({
    method: 'GET',
    path: '/internal/users/:id/rights',
    service,
    access: 'service',
    summary: 'Rights of a user, for requests without a session; 404 when there is no such user',
    params: idParamsSchema,
    answer: z.object({ rights: rightsSchema }),
  }),
  /** For lists of admins in other services. */
  usernames: defineRoute({
    method: 'POST',
    path: '/internal/usernames',
    service,
    access: 'service',
    bodyLimit: 512 * 1024,
    summary:
      'Names of users, and the users in whose name or address a text is: at most 200, or all of those asked about',
    body: z.object({
      userIds: z.array(idSchema).max(200),
      query: text(200).optional(),
      /** Only these are looked at. */
      among: z.array(idSchema).max(maxAmong).optional(),
    }),
    answer: z.object({
      users: z.array(z.object({ userId: z.string(), username: z.string() })),
      matches: z.array(z.string()),
    }),
  }),
  settings: defineRoute({
    method: 'GET',
    path: '/internal/settings',
    service,
    access: 'service',
    summary: 'All settings with their version',
    answer: z.object({ version: z.number(), settings: settingsAnswerSchema }),
  }),
  recordAct: defineRoute({
    method: 'POST',
    path: '/internal/audit-entries',
    service,
    access: 'service',
    summary:
      'Keep in the audit log what an admin does in a service that has no events; again with the same id does nothing',
    body: z.strictObject({ ...adminActed, id: idSchema, at: timeSchema }),
    status: 204,
  }),
  issueCode: defineRoute({
    method: 'POST',
    path: '/internal/verifications/:id/code',
    service,
    access: 'service',
    summary:
      'Make the code that the mail will carry. Only its hash is kept, so a code exists in no event and no log; asking again replaces it. 404 when the verification is over',
    params: idParamsSchema,
    answer: recipientSchema.extend({ code: codeSchema, expiresAt: timeSchema }),
  }),
  issuePasswordReset: defineRoute({
    method: 'POST',
    path: '/internal/password-resets/:id/token',
    service,
    access: 'service',
    summary:
      'Make the token that the mailed link will carry. Only its hash is kept; asking again replaces it. 404 when nobody has the address, or the request is over',
    params: idParamsSchema,
    answer: recipientSchema.extend({ token: z.string(), expiresAt: timeSchema }),
  }),
  issueDataExportLink: defineRoute({
    method: 'POST',
    path: '/internal/data-exports/:id/token',
    service,
    access: 'service',
    summary: 'Make the token that the mailed link will carry, as for a password reset. 404 when the export is gone',
    params: idParamsSchema,
    answer: recipientSchema.extend({ token: z.string(), expiresAt: timeSchema }),
  }),
  recipient: defineRoute({
    method: 'GET',
    path: '/internal/users/:id/recipient',
    service,
    access: 'service',
    summary: 'Where mails to a user go; 404 when there is no such user',
    params: idParamsSchema,
    answer: recipientSchema,
  }),
  erasure: defineRoute({
    method: 'GET',
    path: '/internal/erasures/:id',
    service,
    access: 'service',
    summary: 'Whom to tell that their account is gone; 404 when that is not known any more',
    params: idParamsSchema,
    answer: recipientSchema.extend({ erasedAt: timeSchema }),
  }),
  acknowledgeErasure: defineRoute({
    method: 'POST',
    path: '/internal/erasures/:id/acknowledgements',
    service,
    access: 'service',
    summary: 'A service has nothing of the user any more; idempotent',
    params: idParamsSchema,
    body: z.strictObject({ service: z.enum(serviceNames) }),
    status: 204,
  }),
  contributeToExport: defineRoute({
    method: 'POST',
    path: '/internal/data-exports/:id/contributions',
    service,
    access: 'service',
    summary:
      'Files of a service for a data export, in calls that follow each other. A file comes in one or in several pieces, by number. 404 when nobody waits for them any more: the contribution is complete, another run has begun, or the export is gone',
    params: idParamsSchema,
    body: z.strictObject({
      service: z.enum(serviceNames),
      /** One collecting of the service's files. */
      run: idSchema,
      /** Counts the calls of a run; the same one again replaces it. The first, 0, drops what earlier runs brought. */
      call: z.number().int().min(0),
      pieces: z
        .array(
          z.strictObject({
            /** Within the ZIP, such as `chats/title.md`. */
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
  emailChange: defineRoute({
    method: 'GET',
    path: '/internal/email-changes/:id',
    service,
    access: 'service',
    summary: 'Whom to tell that an account left their address; 404 when it is not known any more',
    params: idParamsSchema,
    answer: recipientSchema.extend({ changedAt: timeSchema }),
  }),
}
