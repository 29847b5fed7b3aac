import type { Locale } from '@parley/contracts/constants'
import { useState } from 'react'
import { type MessageId, useInterfaceLocale } from '../i18n/index.ts'
import { keepLocale, showLocale } from './synced-locale.ts'

/** The interface's language, and a function that changes it here and on the signed-in account. */
export function useLanguage(): {
  locale: Locale
  /** The chosen language is loading. */
  busy: boolean
  /** Resolves to the id of the error text; null on success. */
  choose: (locale: Locale) => Promise<MessageId | null>
} {
  const { locale, change } = useInterfaceLocale()
  const [busy, setBusy] = useState(false)
  const show = async (wanted: Locale): Promise<boolean> => {
    setBusy(true)
    try {
      await showLocale(change, wanted)
      return true
    } catch {
      return false
    } finally {
      setBusy(false)
    }
  }
  const choose = async (wanted: Locale): Promise<MessageId | null> => {
    if (!(await show(wanted))) return 'shared.language.failed'
    return keepLocale(wanted).then(
      () => null,
      () => 'shared.language.notKept',
    )
  }
  return { locale, busy, choose }
}
