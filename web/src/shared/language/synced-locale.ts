import type { I18n } from '@lingui/core'
import type { Locale } from '@parley/contracts/constants'
import { localeKey, parseLocale, textsOf } from '../i18n/index.ts'
import { savePreferences } from '../preferences/index.ts'
import { getSession, readLocal, type StoredUser, useSession, writeLocal } from '../session/index.ts'

/** The effect of an account change on the language: show a language, save the browser's to the account, or none. */
export type LocaleMove = { readonly show: Locale } | 'keep' | 'none'

/**
 * Decides from the account before and after. An account's choice applies in every browser; an account without one adopts the browser's.
 * @param chosen whether this browser was ever set to a language
 */
export function decideLocaleMove(before: StoredUser | null, now: StoredUser | null, chosen: boolean): LocaleMove {
  if (!now) return 'none'
  const locale = parseLocale(now.preferences.locale)
  if (before?._id === now._id && before.preferences.locale === now.preferences.locale) return 'none'
  if (locale !== null) return { show: locale }
  return chosen && before?._id !== now._id ? 'keep' : 'none'
}

/** Shows a language and stores it in this browser. Rejects when its texts cannot be loaded. */
export async function showLocale(change: (locale: Locale) => Promise<void>, locale: Locale): Promise<void> {
  await change(locale)
  writeLocal(localeKey, locale)
}

/** Saves a language to the signed-in account. Throws ApiError when that fails. */
export async function keepLocale(locale: Locale): Promise<void> {
  if (getSession().user) await savePreferences({ locale })
}

/** Syncs the interface's language with the account and with other tabs. Returns a function that stops. */
export function followLocale(i18n: I18n): () => void {
  const { change } = textsOf(i18n)
  // If its texts cannot be loaded the language stays; the next page load tries again.
  const show = (locale: Locale) => void showLocale(change, locale).catch(() => writeLocal(localeKey, locale))
  const onAccount = (user: StoredUser | null, before: StoredUser | null) => {
    const stored = parseLocale(readLocal(localeKey))
    const move = decideLocaleMove(before, user, stored !== null)
    if (move === 'keep' && stored) void keepLocale(stored).catch(() => undefined)
    else if (typeof move === 'object') show(move.show)
  }
  const onStorage = ({ key, newValue }: StorageEvent) => {
    const locale = key === localeKey ? parseLocale(newValue) : null
    if (locale) show(locale)
  }
  window.addEventListener('storage', onStorage)
  const leave = useSession.subscribe(({ user }, { user: before }) => {
    if (user !== before) onAccount(user, before)
  })
  return () => {
    leave()
    window.removeEventListener('storage', onStorage)
  }
}
