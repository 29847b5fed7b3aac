import { catalogLoaders } from 'virtual:catalogs'
import { type Locale, locales } from '@parley/contracts/constants'

/** Languages whose texts are there, in the order in which they are offered. */
export const offeredLocales: readonly Locale[] = locales.filter((locale) => locale in catalogLoaders)

const isOffered = (name: string | null | undefined): name is Locale => offeredLocales.some((locale) => locale === name)

/** A stored language; null for anything that is not offered. */
export const parseLocale = (raw: string | null | undefined): Locale | null => (isOffered(raw) ? raw : null)

/** The interface's language: the stored one, else the first of the browser's that is offered, else English. */
export function chooseLocale(stored: string | null, browser: readonly string[]): Locale {
  const wanted = [stored, ...browser.map((tag) => tag.toLowerCase().split('-')[0])]
  return wanted.find(isOffered) ?? 'en'
}

/** What each language calls itself. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
}

/** The writing direction of a language. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** The tag by which `Intl` writes numbers and dates of a language. Digits are those of code, prices and model names in every language. */
export const formatTagOf = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale)
