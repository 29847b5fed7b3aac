import type { Locale } from '@parley/contracts/constants'
import { useState } from 'react'
import { type MessageId, useInterfaceLocale } from '../i18n/index.ts'
import { keepLocale, showLocale } from './synced-locale.ts'

/** The interface's language and its choice, here and for the account of who is signed in. */
export function useLanguage(): {
  locale: Locale
  /** The texts of the chosen language are on their way. */
  busy: boolean
  /** Answers the id of what is to be said when it did not work; null when it did. */
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
