/** Values that the SPA needs at run time; this file imports nothing, so that no schema reaches the browser with them. */

/** Lengths of usernames and passwords, in UTF-16 units. */
export const accountLimits = { usernameMin: 3, usernameMax: 32, passwordMin: 8, passwordMax: 128 } as const

/** UTF-16 units of a display name. */
export const maxDisplayName = 80

/** Languages of the product. */
export const locales = ['en', 'es', 'fr', 'de', 'zh', 'ja', 'ar'] as const
export type Locale = (typeof locales)[number]

/** What every chat begins with while the settings name no prompt. */
export const builtInSystemPrompt =
  'You are Parley, a helpful assistant. Answer in the language of the user, plainly and to the point. ' +
  'Use Markdown where it helps reading, put code in fenced blocks with their language, and say so when you do not know something.'

/** UTF-16 units of one user message. */
export const maxMessageLength = 100_000
/** UTF-16 units of a chat's title. */
export const maxTitleLength = 200

/** What a provider's notice says where the demo answers in its place; the SPA says it in its reader's language. */
export const demoNotice = 'Demo answers'

/** The data of the last event of every answer's stream. */
export const streamEnd = '[DONE]'
