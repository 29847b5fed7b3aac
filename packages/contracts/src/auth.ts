import { z } from 'zod'
import { accountLimits, locales } from './constants.ts'
import { rightsSchema } from './identity.ts'
import { filledText, idParamsSchema, idSchema, messageAnswerSchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'
import { settingsAnswerSchema } from './settings.ts'

/** A username as it is chosen; upper and lower case are the same name. */
export const usernameSchema = z
  .string()
  .min(accountLimits.usernameMin, `Username must be at least ${accountLimits.usernameMin} characters`)
  .max(accountLimits.usernameMax)
  .regex(/^[A-Za-z0-9_-]+$/, 'Only letters, digits, hyphens and underscores')
/** An e-mail address as it is typed. */
export const emailSchema = z.email('Please enter a valid email address').max(254)
/** Any characters, kept exactly. Length in UTF-16 units; more than 1 KB is refused before hashing. */
export const passwordSchema = text(accountLimits.passwordMax).min(
  accountLimits.passwordMin,
  `Password must be at least ${accountLimits.passwordMin} characters`,
)
/** A mailed code. */
export const codeSchema = z.string().regex(/^\d{6}$/, 'The code is 6 digits')

const modelIdOrNull = text(100).nullable()
/** What a user sets for themself; null leaves the choice to the product. */
export const preferencesSchema = z.strictObject({
  defaultModel: modelIdOrNull,
  defaultImageModel: modelIdOrNull,
  showThinking: z.boolean(),
  autoSaveChats: z.boolean(),
  theme: text(40),
  locale: z.enum(locales).nullable(),
})
export type Preferences = z.infer<typeof preferencesSchema>

/** The preferences of a user who has set none. */
export const defaultPreferences: Preferences = {
  defaultModel: null,
  defaultImageModel: null,
  showThinking: true,
  autoSaveChats: true,
  theme: 'delgdark',
  locale: null,
}

/** A user as they see themself. */
export const userSchema = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  displayName: z.string().nullable(),
  isAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  isBanned: z.boolean(),
  emailVerified: z.boolean(),
  authType: z.enum(['local', 'oauth']),
  preferences: preferencesSchema,
  createdAt: timeSchema,
  lastLoginAt: timeSchema.nullable(),
})
export type User = z.infer<typeof userSchema>

const userAnswerSchema = z.object({ user: userSchema })
const tokenAnswerSchema = z.object({ token: z.string(), user: userSchema })
/** Signed in, or a code was mailed that has to be entered first. */
const signInAnswerSchema = z.union([
  tokenAnswerSchema.extend({ emailVerificationRequired: z.literal(false) }),
  z.object({
    user: z.object({ username: z.string(), email: z.string() }),
    emailVerificationRequired: z.literal(true),
  }),
])
export type SignInAnswer = z.infer<typeof signInAnswerSchema>

/** What the forms for sign-in and registration offer. */
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

/** What a visitor chooses for an account. */
export const registerBodySchema = z.strictObject({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
})
const identifier = filledText(254)
/** `username` and `email` are accepted as other names of `identifier`; exactly one of the three. */
export const loginBodySchema = z
  .strictObject({
    identifier: identifier.optional(),
    username: identifier.optional(),
    email: identifier.optional(),
    password: text(1024).min(1),
  })
  .refine((body) => [body.identifier, body.username, body.email].filter((name) => name !== undefined).length === 1, {
    message: 'Give a username or an e-mail',
    path: ['identifier'],
  })

/** A browser that a user is signed in with; `current` is the one that asks. */
export const sessionSchema = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: timeSchema,
  lastUsedAt: timeSchema,
  userAgent: z.string(),
  network: z.string(),
})
export type Session = z.infer<typeof sessionSchema>

const service = 'auth'
/** Accounts and sessions, for everybody. */
export const authRoutes = {
  config: defineRoute({
    method: 'GET',
    path: '/auth/config',
    service,
    access: 'public',
    summary: 'What sign-in and registration offer',
    answer: authConfigSchema,
  }),
  register: defineRoute({
    method: 'POST',
    path: '/auth/register',
    service,
    access: 'public',
    limited: true,
    summary: 'Make an account',
    body: registerBodySchema,
    answer: signInAnswerSchema,
    status: 201,
  }),
  login: defineRoute({
    method: 'POST',
    path: '/auth/login',
    service,
    access: 'public',
    limited: true,
    bannedAllowed: true,
    summary: 'Sign in by username or e-mail',
    body: loginBodySchema,
    answer: signInAnswerSchema,
  }),
  verifyEmail: defineRoute({
    method: 'POST',
    path: '/auth/verify-email',
    service,
    access: 'public',
    limited: true,
    summary: 'Confirm the mailed code; needs the pending cookie',
    body: z.strictObject({ username: usernameSchema, code: codeSchema }),
    answer: tokenAnswerSchema,
  }),
  resendVerification: defineRoute({
    method: 'POST',
    path: '/auth/resend-verification',
    service,
    access: 'public',
    limited: true,
    summary: 'Mail a new code; at most one a minute',
    body: z.strictObject({ username: usernameSchema }),
    answer: messageAnswerSchema,
  }),
  updateEmail: defineRoute({
    method: 'POST',
    path: '/auth/update-email',
    service,
    access: 'public',
    limited: true,
    summary: 'Change the e-mail from the browser that registered, or signed in with the password',
    body: z.strictObject({ username: usernameSchema, newEmail: emailSchema, password: text(1024).optional() }),
    answer: messageAnswerSchema,
  }),
  refresh: defineRoute({
    method: 'POST',
    path: '/auth/refresh',
    service,
    access: 'public',
    summary: 'A new access token for the refresh cookie, which rotates',
    answer: tokenAnswerSchema,
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/auth/logout',
    service,
    access: 'public',
    bannedAllowed: true,
    summary: 'End this session',
    status: 204,
  }),
  jwks: defineRoute({
    method: 'GET',
    path: '/auth/.well-known/jwks.json',
    service,
    access: 'public',
    summary: 'Public keys of the access tokens',
    answer: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  profile: defineRoute({
    method: 'GET',
    path: '/user/profile',
    service,
    access: 'user',
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
        displayName: text(80).nullable(),
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
}

/** Asked by the gateway and realtime: is this session alive, and what may the user do. */
export const principalAnswerSchema = z.object({
  active: z.boolean(),
  rights: rightsSchema,
})
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
  settings: defineRoute({
    method: 'GET',
    path: '/internal/settings',
    service,
    access: 'service',
    summary: 'All settings with their version',
    answer: z.object({ version: z.number(), settings: settingsAnswerSchema }),
  }),
  issueCode: defineRoute({
    method: 'POST',
    path: '/internal/verifications/:id/code',
    service,
    access: 'service',
    summary:
      'Make the code that the mail will carry. Only its hash is kept, so a code exists in no event and no log; asking again replaces it. 404 when the verification is over',
    params: idParamsSchema,
    answer: z.object({
      code: codeSchema,
      to: z.string(),
      username: z.string(),
      locale: z.enum(locales),
      expiresAt: timeSchema,
    }),
  }),
  emailChange: defineRoute({
    method: 'GET',
    path: '/internal/email-changes/:id',
    service,
    access: 'service',
    summary: 'Whom to tell that an account left their address; 404 when it is not known any more',
    params: idParamsSchema,
    answer: z.object({ to: z.string(), username: z.string(), locale: z.enum(locales), changedAt: timeSchema }),
  }),
}
