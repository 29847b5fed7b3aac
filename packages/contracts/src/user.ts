import { z } from 'zod'
import { accountLimits, locales } from './constants.ts'
import { text, timeSchema } from './primitives.ts'

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
export const codeSchema = z.string().regex(/^\d{6}$/, 'Enter all 6 digits')

const modelIdOrNull = text(100).nullable()
const colorSchema = z.string().regex(/^#[0-9a-f]{6}$/, 'A colour is # and six hexadecimal digits')
/** Colours that a user laid over the theme. */
export const themeColorsSchema = z.strictObject({
  primary: colorSchema,
  secondary: colorSchema,
  accent: colorSchema,
  neutral: colorSchema,
})
export type ThemeColors = z.infer<typeof themeColorsSchema>
/** What a user sets for themself; null leaves the choice to the product. */
export const preferencesSchema = z.strictObject({
  defaultModel: modelIdOrNull,
  defaultImageModel: modelIdOrNull,
  showThinking: z.boolean(),
  autoSaveChats: z.boolean(),
  /** `delgdark`, `delglight`, or `system` for whichever of them the device asks for. */
  theme: text(40),
  /** Null leaves the theme its own. */
  colors: themeColorsSchema.nullable(),
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
  colors: null,
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
  /** Somebody who only ever signed in by an outside provider has none. */
  hasPassword: z.boolean(),
  /** Mails to the address came back for good; null while none did. */
  emailProblem: z.string().nullable(),
  preferences: preferencesSchema,
  createdAt: timeSchema,
  lastLoginAt: timeSchema.nullable(),
})
export type User = z.infer<typeof userSchema>

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

/** A copy of all that is kept of a user, as it is put together and offered. */
export const dataExportSchema = z.object({
  id: z.string(),
  /** collecting: services are still contributing; ready: its link was mailed; failed: it could not be put together in a day; expired: it was deleted. */
  state: z.enum(['collecting', 'ready', 'failed', 'expired']),
  requestedAt: timeSchema,
  /** Until then the mailed link works; null before it is ready. */
  expiresAt: timeSchema.nullable(),
  /** Services that have contributed, of those that will. */
  progress: z.object({ done: z.number(), total: z.number() }),
})
export type DataExport = z.infer<typeof dataExportSchema>
