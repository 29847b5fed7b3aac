import { catalogLoaders } from 'virtual:catalogs'
import { type Locale, locales } from '@parley/contracts/constants'

/** Languages with texts, in display order. */
export const offeredLocales: readonly Locale[] = locales.filter((locale) => locale in catalogLoaders)

const isOffered = (name: string | null | undefined): name is Locale => offeredLocales.some((locale) => locale === name)

/** A stored language; null for one that is not offered. */
export const parseLocale = (raw: string | null | undefined): Locale | null => (isOffered(raw) ? raw : null)

/** The interface's language: the stored one, else the browser's first offered one, else English. */
export function chooseLocale(stored: string | null, browser: readonly string[]): Locale {
  const wanted = [stored, ...browser.map((tag) => tag.toLowerCase().split('-')[0])]
  return wanted.find(isOffered) ?? 'en'
}

/** Each language's name for itself. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
}

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** The locale tag for `Intl`. Digits are always European, as in code, prices and model names. */
export const formatTagOf = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale)
