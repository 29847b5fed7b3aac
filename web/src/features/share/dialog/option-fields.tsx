import type { FoundPrivate } from '@parley/contracts'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, PasswordField } from '../../../shared/ui/index.ts'
import { CheckRow } from './check-row.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { type faultOf, type ShareOptions, toggled } from './options.ts'

interface Props {
  readonly options: ShareOptions
  readonly onChange: (options: ShareOptions) => void
  readonly found: readonly FoundPrivate[]
  readonly hasImages: boolean
  readonly wasProtected: boolean
  readonly fault: ReturnType<typeof faultOf>
}

/** Options of a link: expiry, password, images, and what is hidden. */
export function OptionFields({ options, onChange, found, hasImages, wasProtected, fault }: Props) {
  const { t } = useText()
  const change = (changed: Partial<ShareOptions>) => onChange({ ...options, ...changed })
  return (
    <div className="flex flex-col gap-4">
      <ExpiryField
        expiry={options.expiry}
        error={fault === 'day' ? t('sharing.expiry.missing') : undefined}
        onChange={(expiry) => change({ expiry })}
      />
      <div>
        <CheckRow checked={options.hasPassword} onChange={(hasPassword) => change({ hasPassword })}>
          {t('sharing.password')}
        </CheckRow>
        {options.hasPassword ? (
          <PasswordField
            className="mt-2"
            label={t('sharing.password.label')}
            autoComplete="new-password"
            maxLength={128}
            value={options.password}
            error={fault === 'password' ? t('sharing.password.missing') : undefined}
            hint={t('sharing.password.hint')}
            onChange={(event) => change({ password: event.target.value })}
          />
        ) : (
          wasProtected && <p className="mt-1 text-sm text-warn">{t('sharing.password.again')}</p>
        )}
      </div>
      {hasImages && (
        <CheckRow checked={options.includeImages} onChange={(includeImages) => change({ includeImages })}>
          {t('sharing.images')}
        </CheckRow>
      )}
      {found.length > 0 && <FoundList found={found} options={options} onChange={onChange} />}
    </div>
  )
}

/** There may be thousands of texts. */
const shownAtOnce = 100

/** The private-looking texts of the chat, each to be hidden or shown. */
function FoundList({ found, options, onChange }: Pick<Props, 'found' | 'options' | 'onChange'>) {
  const { t } = useText()
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [count, setCount] = useState(shownAtOnce)
  const each = [...new Map(found.map((one) => [one.text, one])).values()]
  const showMore = () => {
    flushSync(() => setCount(count + shownAtOnce))
    list.current?.querySelectorAll('input')[count]?.focus()
  }
  return (
    <fieldset aria-describedby={id} className="rounded-card border border-line p-3">
      <legend className="px-1 text-sm font-medium">{t('sharing.found')}</legend>
      <p id={id} className="mb-2 text-sm text-ink-3">
        {t('sharing.found.lead')}
      </p>
      <ul ref={list} className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {each.slice(0, count).map(({ kind, text }) => (
          <li key={text}>
            <CheckRow
              checked={!options.allowed.has(text)}
              onChange={(hidden) => onChange({ ...options, allowed: toggled(options.allowed, text, !hidden) })}
            >
              <bdi className="wrap-anywhere">{text.length > 80 ? `${text.slice(0, 80)}…` : text}</bdi>{' '}
              <span className="text-ink-3">{t(`sharing.found.${kind}`)}</span>
            </CheckRow>
          </li>
        ))}
      </ul>
      {count < each.length && (
        <Button size="small" className="mt-2" onClick={showMore}>
          {t('sharing.links.more')}
        </Button>
      )}
    </fieldset>
  )
}
