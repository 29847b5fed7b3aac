import { z } from 'zod'
import { text } from '../primitives.ts'

const windowSchema = z.strictObject({
  windowMinutes: z.number().int().min(1).max(1440),
  maxRequests: z.number().int().min(1).max(1_000_000),
})

const storageSchema = z.strictObject({
  maxBytesPerUser: z.number().int().min(0).max(1_000_000_000_000_000),
  maxChatsPerUser: z.number().int().min(0).max(1_000_000_000),
})
const defaultStorage = { maxBytesPerUser: 1_000_000_000, maxChatsPerUser: 10_000 }

/** Runtime settings of admins; in effect on every replica of every service within a second. */
export const settingsSchema = z.strictObject({
  registration: z.strictObject({ local: z.boolean(), oauth: z.boolean() }),
  guest: z.strictObject({ enabled: z.boolean(), weeklyLimit: z.number().int().min(0).max(100_000) }),
  rateLimits: z.strictObject({ web: windowSchema, apiV1: windowSchema }),
  /** Empty means the built-in prompt. */
  systemPrompt: text(20_000),
  /** Percent of the monthly credits. */
  creditWarningThreshold: z.number().int().min(1).max(100),
  dataExportCooldownMinutes: z.number().int().min(1).max(525_600),
  emailVerificationRequired: z.boolean(),
  /** Storage limits per account: bytes of messages and files, and chats; 0 is unlimited. The default applies to answers of an older auth. */
  storage: storageSchema.default(defaultStorage),
  /** Whether the cheapest model titles a new chat after its first answer. The default is as for `storage`. */
  chatTitles: z.boolean().default(false),
  /** Whether the cheapest model suggests follow-up questions, unless the user has turned that off. The default is as for `storage`. */
  followUps: z.boolean().default(false),
})
export type Settings = z.infer<typeof settingsSchema>

/** The settings of a new installation. */
export const defaultSettings: Settings = {
  registration: { local: true, oauth: true },
  guest: { enabled: true, weeklyLimit: 2 },
  rateLimits: { web: { windowMinutes: 1, maxRequests: 30 }, apiV1: { windowMinutes: 1, maxRequests: 60 } },
  systemPrompt: '',
  creditWarningThreshold: 80,
  dataExportCooldownMinutes: 1440,
  emailVerificationRequired: true,
  storage: defaultStorage,
  chatTitles: false,
  followUps: false,
}

/** `registrationEnabled` is an alias of `registration.local`. Settings unknown to this version, from a newer auth, are ignored. */
export const settingsAnswerSchema = z.object({ ...settingsSchema.shape, registrationEnabled: z.boolean() })
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>

/** The settings for editing; `version` increases with every change. */
export const adminSettingsSchema = settingsAnswerSchema.extend({ version: z.number().int() })
export type AdminSettings = z.infer<typeof adminSettingsSchema>

/** Any subset, merged deeply. 409 if `version` is not current. */
export const settingsPatchSchema = z
  .strictObject({
    ...settingsSchema.shape,
    registration: settingsSchema.shape.registration.partial(),
    registrationEnabled: z.boolean(),
    guest: settingsSchema.shape.guest.partial(),
    rateLimits: z.strictObject({ web: windowSchema.partial(), apiV1: windowSchema.partial() }).partial(),
    // Without the defaults of the settings, which would change what is omitted.
    storage: storageSchema.partial(),
    chatTitles: z.boolean(),
    followUps: z.boolean(),
    version: z.number().int(),
  })
  .partial()
export type SettingsPatch = z.infer<typeof settingsPatchSchema>
