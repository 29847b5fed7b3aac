declare module 'virtual:catalogs' {
  import type { Locale } from '@parley/contracts/constants'

  /** `initial` is what the ways into an account say and what is said everywhere; `admin` is what only admins read, `docs` the documentation of the API; `deferred` is what a chat and most screens say, `share` what a shared chat and the making of its link say; `panels` what is opened over a chat, and the settings. */
  export type CatalogPart = 'initial' | 'deferred' | 'share' | 'panels' | 'admin' | 'docs'
  /** Compiled messages by id, in Lingui's format. */
  export type Messages = Record<string, string>
  /** Loads the parts of each language with a folder in `src/locales`. */
  export const catalogLoaders: Partial<
    Readonly<Record<Locale, Readonly<Record<CatalogPart, () => Promise<{ messages: Messages }>>>>>
  >
}

declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  /** Words by descending frequency. */
  const words: string[]

  // biome-ignore lint/style/noDefaultExport: this is how the library has it
  export { words as default }
}
