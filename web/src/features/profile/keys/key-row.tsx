import type { ApiKey } from '@parley/contracts'
import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { formatDay, formatMoment } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { Chip, MenuItem, OptionsMenu } from '../../../shared/ui/index.ts'
import { expiryOf } from './key-dates.ts'
import { KeyLimits, KeyUsageSummary } from './key-usage.tsx'

export type KeyAction = 'edit' | 'rotate' | 'revoke'

const actions = [
  { name: 'edit', icon: <Pencil /> },
  { name: 'rotate', icon: <RefreshCw /> },
  { name: 'revoke', icon: <Trash2 /> },
] as const

/** One API key: its name, limits, and usage. */
export function KeyRow({ apiKey, onAct }: { apiKey: ApiKey; onAct: (action: KeyAction) => void }) {
  const { t, locale } = useText()
  const { label, prefix, lastFour, tier, limits } = apiKey
  const expiry = expiryOf(apiKey.expiresAt, Date.now())
  return (
    <li className="px-4 py-4 md:px-5">
      <div className="flex items-start gap-3">
        {/* Gets the focus when an adjacent row is removed. */}
        <div data-row tabIndex={-1} className="min-w-0 flex-1 rounded-sm">
          <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
            <bdi className="min-w-0 break-words">{label}</bdi>
            <Chip className="h-5.5 text-2xs">{t(`keys.tier.${tier}`)}</Chip>
            {(expiry === 'soon' || expiry === 'expired') && (
              <Chip tone="warn" className="h-5.5 text-2xs">
                {t(`keys.expiry.${expiry}`)}
              </Chip>
            )}
          </h3>
          <p className="mt-0.5 text-sm text-ink-2 tabular-nums">
            <code dir="ltr" className="font-mono">
              {prefix}…{lastFour}
            </code>
            {` · ${factsOf(t, locale, apiKey).join(' · ')}`}
          </p>
        </div>
        <OptionsMenu label={t('keys.options', { label })} size="small">
          {actions.map(({ name, icon: actionIcon }) => (
            <MenuItem key={name} icon={actionIcon} danger={name === 'revoke'} onSelect={() => onAct(name)}>
              {t(`keys.action.${name}`)}
            </MenuItem>
          ))}
        </OptionsMenu>
      </div>
      <KeyLimits limits={limits} />
      <KeyUsageSummary apiKey={apiKey} />
    </li>
  )
}

const factsOf = (t: Translate, locale: string, { createdAt, lastUsed, expiresAt }: ApiKey): string[] => [
  t('keys.created', { date: formatDay(createdAt, locale) }),
  lastUsed === null ? t('keys.neverUsed') : t('keys.used', { at: formatMoment(lastUsed, locale) }),
  expiresAt === null ? t('keys.noExpiry') : t('keys.expires', { date: formatDay(expiresAt, locale) }),
]
