import { type I18n, setupI18n } from '@lingui/core'
import { I18nProvider, Trans, useLingui } from '@lingui/react'
import type { Locale } from '@parley/contracts/constants'
import { type ReactElement, type ReactNode, useMemo } from 'react'
import { readLocal } from '../session/storage.ts'
import { catalogLoaders, chooseLocale, directionOf } from './locale.ts'
import type { MessageId, MessageValues } from './messages.ts'

const storageKey = 'app-locale'

/** Gives the text of an id in the interface's language. */
export type Translate = (id: MessageId, values?: MessageValues) => string

/** An interface language holder, with the visitor's language loaded and the document's `lang` and `dir` set. */
export async function openI18n(): Promise<I18n> {
  const i18n = setupI18n()
  await activateLocale(i18n, chooseLocale(readLocal(storageKey), navigator.languages))
  return i18n
}

async function activateLocale(i18n: I18n, locale: Locale): Promise<void> {
  const load = catalogLoaders[locale]
  if (!load) throw new Error(`No catalog for ${locale}`)
  const { messages } = await load()
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

/** Makes the texts of `i18n` available to everything inside. */
export function TextProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}

/** The text lookup and the active locale; components using it render anew when the language changes. */
export function useText(): { t: Translate; locale: string } {
  const { _, i18n } = useLingui()
  return useMemo(
    () => ({ t: (id, values) => _(id, values as Record<string, unknown>), locale: i18n.locale }),
    [_, i18n],
  )
}

/** A text with elements in it: `<T id="auth.terms" components={{ link: <a href="/privacy" /> }} />` for `Read <link>this</link>`. */
export function T(props: { id: MessageId; values?: MessageValues; components?: Record<string, ReactElement> }) {
  return <Trans id={props.id} values={props.values} components={props.components} />
}
