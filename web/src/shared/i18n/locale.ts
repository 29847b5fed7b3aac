import { type Locale, locales } from '@parley/contracts/constants'

/** `initial` is what the ways into an account say and what is said everywhere; `deferred` is the rest. */
export type CatalogPart = 'initial' | 'deferred'
type LoadCatalog = () => Promise<{ messages: Record<string, string> }>

/** Loads the compiled catalogs of each language the interface has. A new language is a folder of `src/locales` and its lines here. */
export const catalogLoaders: Partial<Record<Locale, Readonly<Record<CatalogPart, LoadCatalog>>>> = {
  en: { initial: () => import('virtual:catalog/en/initial'), deferred: () => import('virtual:catalog/en/deferred') },
}

const isOffered = (name: string | undefined): name is Locale =>
  locales.some((locale) => locale === name) && name !== undefined && name in catalogLoaders

/** The interface's language: the stored one, else the first of the browser's that is offered, else English. */
export function chooseLocale(stored: string | null, browser: readonly string[]): Locale {
  const wanted = [stored ?? undefined, ...browser.map((tag) => tag.toLowerCase().split('-')[0])]
  return wanted.find(isOffered) ?? 'en'
}

/** The writing direction of a language. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')
