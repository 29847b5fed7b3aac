import type { CatalogPart, Messages } from 'virtual:catalogs'
import type { I18n } from '@lingui/core'
import type { Locale } from '@parley/contracts/constants'
import { formatTagOf } from './locale.ts'

/** A part loaded with the first screen that needs it. */
export type LaterPart = Exclude<CatalogPart, 'initial'>

/** Loads an interface's texts, in one language at a time. */
export interface Texts {
  /** Loads a later part in the current language, once; a failed load can be retried. */
  readonly load: (part: LaterPart) => Promise<void>
  /** Whether a later part is there, so that nobody has to wait for it. */
  readonly has: (part: LaterPart) => boolean
  /** Switches the language once all loaded parts are available in it. Rejects without a change when they cannot be loaded. */
  readonly change: (locale: Locale) => Promise<void>
}

/** Milliseconds for which a failure is cached, so that it is shown instead of retried endlessly. */
const failureMs = 1_000

/** @param readCatalog loads the messages of a part in a language */
export function createTexts(i18n: I18n, readCatalog: (locale: Locale, part: CatalogPart) => Promise<Messages>): Texts {
  const parts = new Map<LaterPart, Promise<void>>()
  const loaded = new Set<CatalogPart>(['initial'])
  // Serialised: a part requested during a change is loaded in the new language.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const loadPart = (part: LaterPart) =>
    inTurn(async () => {
      const locale = i18n.locale as Locale
      i18n.load(locale, await readCatalog(locale, part))
      loaded.add(part)
    })

  return {
    load(part) {
      const known = parts.get(part)
      if (known) return known
      const loading = loadPart(part)
      parts.set(part, loading)
      loading.catch(() => setTimeout(() => parts.delete(part), failureMs))
      return loading
    },
    has: (part) => loaded.has(part),
    change: (locale) =>
      inTurn(async () => {
        if (locale === i18n.locale) return
        const catalogs = await Promise.all([...loaded].map((part) => readCatalog(locale, part)))
        i18n.loadAndActivate({ locale, locales: formatTagOf(locale), messages: Object.assign({}, ...catalogs) })
      }),
  }
}
