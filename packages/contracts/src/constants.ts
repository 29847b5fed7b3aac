/** Constants that the SPA needs at run time; this file imports nothing, so that no schema is bundled with them. */

/** Lengths of usernames and passwords, in UTF-16 units. */
export const accountLimits = { usernameMin: 3, usernameMax: 32, passwordMin: 8, passwordMax: 128 } as const

/** Length of a display name, in UTF-16 units. */
export const maxDisplayName = 80

/** Languages of the product. */
export const locales = ['en', 'es', 'fr', 'de', 'zh', 'ja', 'ar'] as const
export type Locale = (typeof locales)[number]

/** The system prompt unless the settings have one. */
export const builtInSystemPrompt =
  'You are Parley, a helpful assistant. Answer in the language of the user, plainly and to the point. ' +
  'Use Markdown where it helps reading, put code in fenced blocks with their language, and say so when you do not know something.'

/** Length of a user message, in UTF-16 units. */
export const maxMessageLength = 100_000
/** Length of a chat's title, in UTF-16 units. */
export const maxTitleLength = 200
/** Messages that a shared link may name. */
export const maxChosenMessages = 10_000

/** The notice of a provider replaced by the demo; the SPA translates it. */
export const demoNotice = 'Demo answers'

/** The data of the last event of an answer's stream. */
export const streamEnd = '[DONE]'
