import type { I18n } from '@lingui/core'
import type { Locale } from '@parley/contracts/constants'
import { localeKey, parseLocale, textsOf } from '../i18n/index.ts'
import { savePreferences } from '../preferences/index.ts'
import { getSession, readLocal, type StoredUser, useSession, writeLocal } from '../session/index.ts'

/** What happens to the language when the account changes: a language to change to, the browser's to be kept on the account, or nothing. */
export type LocaleMove = { readonly show: Locale } | 'keep' | 'none'

/**
 * Decides by the account before and now. What was chosen for an account comes along to every browser; an account without a choice takes over
 * that of its browser.
 * @param chosen whether this browser was ever set to a language
 */
export function decideLocaleMove(before: StoredUser | null, now: StoredUser | null, chosen: boolean): LocaleMove {
  if (!now) return 'none'
  const locale = parseLocale(now.preferences.locale)
  if (before?._id === now._id && before.preferences.locale === now.preferences.locale) return 'none'
  if (locale !== null) return { show: locale }
  return chosen && before?._id !== now._id ? 'keep' : 'none'
}

/** Shows the interface in a language, and remembers it in this browser. Rejects when its texts cannot be loaded. */
export async function showLocale(change: (locale: Locale) => Promise<void>, locale: Locale): Promise<void> {
  await change(locale)
  writeLocal(localeKey, locale)
}

/** Keeps a language on the account of who is signed in. Throws ApiError when it could not be kept. */
export async function keepLocale(locale: Locale): Promise<void> {
  if (getSession().user) await savePreferences({ locale })
}

/** Keeps the interface's language together with the account's, and with that of other tabs. Answers a function that ends it. */
export function followLocale(i18n: I18n): () => void {
  const { change } = textsOf(i18n)
  // Without its texts the language stays as it was; the next load of the page asks for them anew.
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
