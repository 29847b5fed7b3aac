import type { Locale } from '@parley/contracts/constants'
import { ChevronsUpDown, Languages } from 'lucide-react'
import { useId, useState } from 'react'
import { languageNames, type MessageId, offeredLocales, useText } from '../i18n/index.ts'
import { classNames } from '../ui/class-names.ts'
import { useLanguage } from './use-language.ts'

/**
 * Selects the interface's language; each one is shown by its own name.
 * @param look `field` for forms, `quiet` for headers
 */
export function LanguageSelect({ look = 'quiet' }: { look?: 'quiet' | 'field' }) {
  const { t } = useText()
  const { locale, busy, choose } = useLanguage()
  const [failure, setFailure] = useState<MessageId | null>(null)
  const id = useId()
  const quiet = look === 'quiet'
  return (
    <div className={classNames('min-w-0', quiet ? 'max-w-full' : 'w-full')}>
      <span className="relative flex items-center">
        <Languages className="pointer-events-none absolute start-2.5 size-4 text-ink-3" />
        <select
          aria-label={t('shared.language')}
          aria-describedby={failure ? id : undefined}
          aria-busy={busy}
          value={locale}
          onChange={(event) => {
            setFailure(null)
            void choose(event.target.value as Locale).then(setFailure)
          }}
          className={classNames(
            'cursor-pointer appearance-none rounded-card ps-8.5 aria-busy:cursor-progress',
            quiet
              ? 'field-sizing-content h-9 bg-transparent pe-3 text-sm text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:h-11'
              : 'h-11 w-full border border-field-line bg-overlay pe-9 text-base max-md:text-[1rem]',
          )}
        >
          {offeredLocales.map((name) => (
            <option key={name} value={name} lang={name} className="bg-overlay text-ink">
              {languageNames[name]}
            </option>
          ))}
        </select>
        {!quiet && <ChevronsUpDown className="pointer-events-none absolute end-3 size-4 text-ink-3" />}
      </span>
      {failure && (
        <p id={id} role="alert" className="mt-1.5 text-sm text-danger">
          {t(failure)}
        </p>
      )}
    </div>
  )
}
