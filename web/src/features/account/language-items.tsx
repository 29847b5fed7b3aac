import type { Locale } from '@parley/contracts/constants'
import { useEffect, useRef } from 'react'
import { languageNames, offeredLocales, useText } from '../../shared/i18n/index.ts'
import { useLanguage } from '../../shared/language/index.ts'
import { MenuItem, notify } from '../../shared/ui/index.ts'

/** The languages of the interface, each by its own name, as a submenu. */
export function LanguageItems() {
  const { t } = useText()
  const { locale, choose } = useLanguage()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus(), [])
  const change = async (name: Locale) => {
    const failure = await choose(name)
    if (failure) notify.error((now) => now(failure))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
    <div ref={ref} role="group" aria-label={t('shared.language')}>
      {offeredLocales.map((name) => (
        <MenuItem key={name} checked={name === locale} onSelect={() => void change(name)}>
          <bdi lang={name}>{languageNames[name]}</bdi>
        </MenuItem>
      ))}
    </div>
  )
}
