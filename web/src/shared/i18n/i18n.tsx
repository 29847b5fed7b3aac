import { type CatalogPart, catalogLoaders, type Messages } from 'virtual:catalogs'
import { type I18n, setupI18n } from '@lingui/core'
import { I18nProvider, Trans, useLingui } from '@lingui/react'
import type { Locale } from '@parley/contracts/constants'
import { createContext, type ReactElement, type ReactNode, use, useContext, useEffect, useMemo } from 'react'
import { setApiLanguage } from '../api/language.ts'
import { retryImport } from '../lazy/index.ts'
import { readLocal } from '../session/storage.ts'
import { chooseLocale, directionOf, formatTagOf } from './locale.ts'
import type { MessageId, MessageValues } from './messages.ts'
import { createTexts, type LaterPart, type Texts } from './texts.ts'

/** Storage key of the language chosen in this browser. */
export const localeKey = 'app-locale'

/** Looks up the text of an id in the interface's language. */
export type Translate = (id: MessageId, values?: MessageValues) => string

/** A text that is made when it is shown, so that it follows a change of the language. */
export type Wording = (t: Translate) => string

/**
 * Creates the interface's texts, with the `initial` part loaded in the visitor's language; the document's `lang` and `dir` follow it.
 * @param soon a part to preload because it will be needed next
 */
export async function openI18n(soon: LaterPart | null = null): Promise<I18n> {
  const i18n = setupI18n()
  const locale = chooseLocale(readLocal(localeKey), navigator.languages)
  // A failure is handled where the texts are needed.
  if (soon) readCatalog(locale, soon).catch(() => undefined)
  i18n.on('change', () => drawLanguage(i18n.locale as Locale))
  i18n.loadAndActivate({ locale, locales: formatTagOf(locale), messages: await readCatalog(locale, 'initial') })
  return i18n
}

function drawLanguage(locale: Locale): void {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
  setApiLanguage(locale)
}

async function readCatalog(locale: Locale, part: CatalogPart): Promise<Messages> {
  const parts = catalogLoaders[locale]
  if (!parts) throw new Error(`No catalog for ${locale}`)
  return (await retryImport(parts[part])).messages
}

const knownTexts = new WeakMap<I18n, Texts>()

/** The text loader of an interface. */
export function textsOf(i18n: I18n): Texts {
  const texts = knownTexts.get(i18n) ?? createTexts(i18n, readCatalog)
  knownTexts.set(i18n, texts)
  return texts
}

const TextsContext = createContext<Texts>({
  load: async () => undefined,
  has: () => false,
  change: async () => undefined,
})

/** Loads a later part in the background, if one is given; whether it is there. */
export function useLaterTexts(part: LaterPart | null): boolean {
  const { has, load } = useContext(TextsContext)
  useEffect(() => {
    // Without the texts, others are shown, or `LaterTexts` handles the failure.
    if (part !== null) load(part).catch(() => undefined)
  }, [part, load])
  return part !== null && has(part)
}

/** Renders children that need a later part's texts; suspends until they are loaded. */
export function LaterTexts({ part, children }: { part: LaterPart; children: ReactNode }) {
  const { has, load } = useContext(TextsContext)
  if (!has(part)) use(load(part))
  return children
}

/** Provides the texts of `i18n` to its children. */
export function TextProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <TextsContext value={textsOf(i18n)}>{children}</TextsContext>
    </I18nProvider>
  )
}

/** The text lookup, and the locale tag for `Intl`; components that use it re-render when the language changes. */
export function useText(): { t: Translate; locale: string } {
  const { _, i18n } = useLingui()
  return useMemo(
    () => ({
      t: (id, values) => _(id, values as Record<string, unknown>),
      locale: formatTagOf(i18n.locale as Locale),
    }),
    [_, i18n],
  )
}

/** The interface's language, and a function that changes it for the lifetime of the page. */
export function useInterfaceLocale(): { locale: Locale; change: Texts['change'] } {
  const { i18n } = useLingui()
  const { change } = useContext(TextsContext)
  return { locale: i18n.locale as Locale, change }
}

/** A text that contains elements: `<T id="auth.terms" components={{ link: <a href="/privacy" /> }} />` for `Read <link>this</link>`. */
export function T(props: { id: MessageId; values?: MessageValues; components?: Record<string, ReactElement> }) {
  return <Trans id={props.id} values={props.values} components={props.components} />
}
