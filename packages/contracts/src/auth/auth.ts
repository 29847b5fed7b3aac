import { z } from 'zod'
import { filledText, messageAnswerSchema, text } from '../primitives.ts'
import { routesFor } from '../route.ts'
import { accountRoutes } from './account.ts'
import { codeSchema, emailSchema, passwordSchema, usernameSchema, userSchema } from './user.ts'

const tokenAnswerSchema = z.object({ token: z.string(), user: userSchema })
const signedInSchema = tokenAnswerSchema.extend({ emailVerificationRequired: z.literal(false) })
const awaitingCodeSchema = z.object({
  user: z.object({ username: z.string(), email: z.string() }),
  emailVerificationRequired: z.literal(true),
})
/** Signed in, or a mailed code must be entered first. */
const signInAnswerSchema = z.union([signedInSchema, awaitingCodeSchema])
export type SignInAnswer = z.infer<typeof signInAnswerSchema>
/** The new account, signed in unless a mailed code must be entered first. */
const registerAnswerSchema = z.union([signedInSchema, awaitingCodeSchema.extend({ user: userSchema })])

/** A path on this origin, such as `/c/1?x=2`. */
const returnTo = { returnTo: z.string() }
/** The answer of a sign-in, with the path to return to. */
const oauthAnswerSchema = z.union([signedInSchema.extend(returnTo), awaitingCodeSchema.extend(returnTo)])
export type OAuthAnswer = z.infer<typeof oauthAnswerSchema>

/** The outcome of the mail with the code: queued, accepted by the mail server, or refused permanently. */
export const mailOutcomes = ['waiting', 'sent', 'failed'] as const

/** Options of the sign-in and registration forms. */
export const authConfigSchema = z.object({
  registration: z.object({ local: z.boolean(), oauth: z.boolean() }),
  guest: z.object({ enabled: z.boolean(), messageLimit: z.number() }),
  oauth: z.object({ enabled: z.boolean(), label: z.string().nullable() }),
  limits: z.object({
    usernameMin: z.number(),
    usernameMax: z.number(),
    passwordMin: z.number(),
    passwordMax: z.number(),
  }),
})
export type AuthConfig = z.infer<typeof authConfigSchema>

/** The input of a registration. */
export const registerBodySchema = z.strictObject({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
})
const identifier = filledText(254)
/** `username` and `email` are aliases of `identifier`; exactly one of the three is required. */
export const loginBodySchema = z
  .strictObject({
    identifier: identifier.optional(),
    username: identifier.optional(),
    email: identifier.optional(),
    password: text(1024).min(1),
  })
  .refine((body) => [body.identifier, body.username, body.email].filter((name) => name !== undefined).length === 1, {
    message: 'Enter a username or email',
    path: ['identifier'],
  })

const anyone = routesFor('auth', 'public')
/** Public routes for accounts and sessions. */
export const authRoutes = {
  config: anyone.get('/auth/config', {
    summary: 'Options of sign-in and registration',
    answer: authConfigSchema,
  }),
  register: anyone.post('/auth/register', {
    limited: 'account',
    summary: 'Register an account',
    body: registerBodySchema,
    answer: registerAnswerSchema,
    status: 201,
  }),
  login: anyone.post('/auth/login', {
    limited: 'account',
    bannedAllowed: true,
    summary: 'Sign in by username or e-mail',
    body: loginBodySchema,
    answer: signInAnswerSchema,
  }),
  verifyEmail: anyone.post('/auth/verify-email', {
    limited: 'account',
    summary: 'Confirm the mailed code; needs the pending cookie',
    body: z.strictObject({ username: usernameSchema, code: codeSchema }),
    answer: tokenAnswerSchema,
  }),
  resendVerification: anyone.post('/auth/resend-verification', {
    limited: 'account',
    summary: 'Mail a new code; at most one per minute',
    body: z.strictObject({ username: usernameSchema }),
    answer: messageAnswerSchema,
  }),
  updateEmail: anyone.post('/auth/update-email', {
    limited: 'account',
    summary: 'Change the e-mail address, from the browser that registered or signed in with the password',
    body: z.strictObject({ username: usernameSchema, newEmail: emailSchema, password: text(1024).optional() }),
    answer: messageAnswerSchema,
  }),
  verificationMail: anyone.get('/auth/verification-mail', {
    summary: 'Outcome of the last mailed code; needs the pending cookie, 404 without it',
    answer: z.object({ outcome: z.enum(mailOutcomes) }),
  }),
  requestPasswordReset: anyone.post('/auth/password-reset-request', {
    limited: 'account',
    summary: 'Mail a password reset link if the address belongs to an account; the answer is always the same',
    body: z.strictObject({ email: emailSchema }),
    answer: messageAnswerSchema,
  }),
  confirmPasswordReset: anyone.post('/auth/password-reset-confirm', {
    limited: 'account',
    summary: 'Set a new password by a mailed link, valid once within 30 minutes; ends every session',
    body: z.strictObject({ token: filledText(200), email: emailSchema, newPassword: passwordSchema }),
    answer: messageAnswerSchema,
  }),
  startOAuth: anyone.get('/auth/oauth/start', {
    limited: 'account',
    summary: 'Start single sign-on; only this browser can complete it',
    query: z.object({ returnTo: text(2_000).optional() }),
    answer: z.object({ url: z.string() }),
  }),
  finishOAuth: anyone.post('/auth/oauth/callback', {
    limited: 'account',
    bannedAllowed: true,
    summary: 'Complete single sign-on. 409 email_taken: link the identity with the password first',
    body: z.strictObject({ code: text(4_000).optional(), state: text(1_000).optional(), iss: text(2_000).optional() }),
    bodyOptional: true,
    answer: oauthAnswerSchema,
  }),
  linkOAuth: anyone.post('/auth/oauth/link', {
    limited: 'account',
    bannedAllowed: true,
    summary:
      'Link the identity of the preceding callback to the account with its e-mail, by the password of that account',
    body: z.strictObject({ password: text(1024).min(1) }),
    answer: oauthAnswerSchema,
  }),
  refresh: anyone.post('/auth/refresh', {
    summary: 'Get a new access token by the refresh cookie, which rotates',
    answer: tokenAnswerSchema,
  }),
  logout: anyone.post('/auth/logout', {
    bannedAllowed: true,
    summary: 'End this session',
    status: 204,
  }),
  jwks: anyone.get('/auth/.well-known/jwks.json', {
    summary: 'Public keys of access tokens',
    answer: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  ...accountRoutes,
}
