import { z } from 'zod'
import { accountLimits, locales } from '../constants.ts'
import { text, timeSchema } from '../primitives.ts'

/** A username; names are compared ignoring case. */
export const usernameSchema = z
  .string()
  .min(accountLimits.usernameMin, `Username must be at least ${accountLimits.usernameMin} characters`)
  .max(accountLimits.usernameMax)
  .regex(/^[A-Za-z0-9_-]+$/, 'Only letters, digits, hyphens and underscores')
/** An e-mail address, as typed. */
export const emailSchema = z.email('Please enter a valid email address').max(254)
/** Any characters, unchanged. Length in code points; more than 1 KB is refused before hashing. */
export const passwordSchema = text(accountLimits.passwordMax).min(
  accountLimits.passwordMin,
  `Password must be at least ${accountLimits.passwordMin} characters`,
)
/** A mailed code. */
export const codeSchema = z.string().regex(/^\d{6}$/, 'Enter all 6 digits')

const modelIdOrNull = text(100).nullable()
const colorSchema = z.string().regex(/^#[0-9a-f]{6}$/, 'A color is # and six hexadecimal digits')
/** A user's colours, which override the theme. */
export const themeColorsSchema = z.strictObject({
  primary: colorSchema,
  secondary: colorSchema,
  accent: colorSchema,
  neutral: colorSchema,
})
export type ThemeColors = z.infer<typeof themeColorsSchema>
/** A user's preferences; null means the default. */
export const preferencesSchema = z.strictObject({
  defaultModel: modelIdOrNull,
  defaultImageModel: modelIdOrNull,
  showThinking: z.boolean(),
  autoSaveChats: z.boolean(),
  /** `delgdark`, `delglight`, or `system` for the device's colour scheme. */
  theme: text(40),
  /** Null for the theme's own. */
  colors: themeColorsSchema.nullable(),
  locale: z.enum(locales).nullable(),
})
export type Preferences = z.infer<typeof preferencesSchema>

/** The default preferences. */
export const defaultPreferences: Preferences = {
  defaultModel: null,
  defaultImageModel: null,
  showThinking: true,
  autoSaveChats: true,
  theme: 'delgdark',
  colors: null,
  locale: null,
}

/** A user, for themselves. */
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
  /** False for users who only sign in by an external provider. */
  hasPassword: z.boolean(),
  /** Why mails to the address fail permanently; null if they do not. */
  emailProblem: z.string().nullable(),
  preferences: preferencesSchema,
  createdAt: timeSchema,
  lastLoginAt: timeSchema.nullable(),
})
export type User = z.infer<typeof userSchema>

/** A session of a user; `current` is the caller's. */
export const sessionSchema = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: timeSchema,
  lastUsedAt: timeSchema,
  userAgent: z.string(),
  network: z.string(),
})
export type Session = z.infer<typeof sessionSchema>

/** A user's data export and its progress. */
export const dataExportSchema = z.object({
  id: z.string(),
  /** collecting: services are still contributing; ready: its link was mailed; failed: not completed within a day; expired: it was deleted. */
  state: z.enum(['collecting', 'ready', 'failed', 'expired']),
  requestedAt: timeSchema,
  /** When the mailed link expires; null before it is ready. */
  expiresAt: timeSchema.nullable(),
  /** Number of services that have contributed, and of all that will. */
  progress: z.object({ done: z.number(), total: z.number() }),
})
export type DataExport = z.infer<typeof dataExportSchema>
