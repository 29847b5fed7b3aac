import { type Locale, locales } from '@parley/contracts/constants'

/** Loads the compiled catalog of each language the interface has. A new language is a folder of `src/locales` and a line here. */
export const catalogLoaders: Partial<Record<Locale, () => Promise<{ messages: Record<string, string> }>>> = {
  en: () => import('virtual:catalog/en'),
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
