/** Constants that the SPA needs at run time; this file imports nothing, so that no schema is bundled with them. */

/** Lengths of usernames and passwords, in code points. */
export const accountLimits = { usernameMin: 3, usernameMax: 32, passwordMin: 8, passwordMax: 128 } as const

/** Length of a display name, in code points. */
export const maxDisplayName = 80

/** Languages of the product. */
export const locales = ['en', 'es', 'fr', 'de', 'zh', 'ja', 'ar'] as const
export type Locale = (typeof locales)[number]

/** The system prompt unless the settings have one. */
export const builtInSystemPrompt =
  'You are Parley, a helpful assistant. Answer in the language of the user, plainly and to the point. ' +
  'Use Markdown where it helps reading, put code in fenced blocks with their language, and say so when you do not know something.'

/** Multiples of the base limit of `/v1` for API keys of tiers 1 to 4; a key of tier 5 has a limit of its own. */
export const tierMultipliers = { 1: 1, 2: 2, 3: 5, 4: 10 } as const

/** Length of a user message, in code points. */
export const maxMessageLength = 100_000
/** Length of a chat's title, in code points. */
export const maxTitleLength = 200
/** Messages that a shared link may name. */
export const maxChosenMessages = 10_000

/** The notice of a provider replaced by the demo; the SPA translates it. */
export const demoNotice = 'Demo answers'

/** The data of the last event of an answer's stream. */
export const streamEnd = '[DONE]'
