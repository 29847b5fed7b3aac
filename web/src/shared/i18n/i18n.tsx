import { type I18n, setupI18n } from '@lingui/core'
import { I18nProvider, Trans, useLingui } from '@lingui/react'
import type { Locale } from '@parley/contracts/constants'
import { createContext, type ReactElement, type ReactNode, use, useContext, useEffect, useMemo } from 'react'
import { readLocal } from '../session/storage.ts'
import { type CatalogPart, catalogLoaders, chooseLocale, directionOf } from './locale.ts'
import type { MessageId, MessageValues } from './messages.ts'

const storageKey = 'app-locale'

/** Gives the text of an id in the interface's language. */
export type Translate = (id: MessageId, values?: MessageValues) => string

/** An interface language holder, with the `initial` texts in the visitor's language loaded and the document's `lang` and `dir` set. */
export async function openI18n(): Promise<I18n> {
  const i18n = setupI18n()
  const locale = chooseLocale(readLocal(storageKey), navigator.languages)
  i18n.loadAndActivate({ locale, messages: await loadPart(locale, 'initial') })
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
  return i18n
}

async function loadPart(locale: Locale, part: CatalogPart): Promise<Record<string, string>> {
  const parts = catalogLoaders[locale]
  if (!parts) throw new Error(`No catalog for ${locale}`)
  return (await parts[part]()).messages
}

/** Milliseconds for which a failure stands, so that it is shown and not asked for without end. */
const failureMs = 1_000

/** Loads the `deferred` texts, once; after a failure it can be tried again. */
function createDeferredLoader(i18n: I18n): () => Promise<void> {
  let loading: Promise<void> | undefined
  const load = async (): Promise<void> => i18n.load(i18n.locale, await loadPart(i18n.locale as Locale, 'deferred'))
  const forget = (): void => {
    loading = undefined
  }
  return () => {
    if (loading) return loading
    loading = load()
    loading.catch(() => setTimeout(forget, failureMs))
    return loading
  }
}

const deferredLoaders = new WeakMap<I18n, () => Promise<void>>()
const DeferredContext = createContext<() => Promise<void>>(async () => undefined)

/** Begins to load what `DeferredTexts` will wait for. */
export function usePreparedTexts(): void {
  const load = useContext(DeferredContext)
  useEffect(() => {
    // A failure shows where the texts are needed.
    load().catch(() => undefined)
  }, [load])
}

/** What needs `deferred` texts; suspends until they are there. */
export function DeferredTexts({ children }: { children: ReactNode }) {
  use(useContext(DeferredContext)())
  return children
}

/** Makes the texts of `i18n` available to everything inside. */
export function TextProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const load = deferredLoaders.get(i18n) ?? createDeferredLoader(i18n)
  deferredLoaders.set(i18n, load)
  return (
    <I18nProvider i18n={i18n}>
      <DeferredContext value={load}>{children}</DeferredContext>
    </I18nProvider>
  )
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
