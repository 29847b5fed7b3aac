import type { CatalogPart, Messages } from 'virtual:catalogs'
import type { I18n } from '@lingui/core'
import type { Locale } from '@parley/contracts/constants'
import { formatTagOf } from './locale.ts'

/** What is loaded with the first screen that needs it. */
export type LaterPart = Exclude<CatalogPart, 'initial'>

/** Loads the texts of an interface, in one language at a time. */
export interface Texts {
  /** Loads a later part in the language of the interface, once; after a failure it can be tried again. */
  readonly load: (part: LaterPart) => Promise<void>
  /** Changes the language, all that is shown of it at once, when its texts are there. Rejects, and leaves the language as it was, when they cannot be loaded. */
  readonly change: (locale: Locale) => Promise<void>
}

/** Milliseconds for which a failure stands, so that it is shown and not asked for without end. */
const failureMs = 1_000

/** @param readCatalog loads the messages of a part in a language */
export function createTexts(i18n: I18n, readCatalog: (locale: Locale, part: CatalogPart) => Promise<Messages>): Texts {
  const parts = new Map<LaterPart, Promise<void>>()
  const loaded = new Set<CatalogPart>(['initial'])
  // One after the other: a part that is asked for during a change is loaded in the language after it.
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
    change: (locale) =>
      inTurn(async () => {
        if (locale === i18n.locale) return
        const catalogs = await Promise.all([...loaded].map((part) => readCatalog(locale, part)))
        i18n.loadAndActivate({ locale, locales: formatTagOf(locale), messages: Object.assign({}, ...catalogs) })
      }),
  }
}
