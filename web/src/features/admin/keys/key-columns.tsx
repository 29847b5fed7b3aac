import type { AdminApiKey } from '@parley/contracts'
import { useMemo } from 'react'
import { formatCompact, formatDay, formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { fillDays } from '../../../shared/plot/days.ts'
import { Sparkline } from '../../../shared/plot/sparkline.tsx'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { OwnText } from '../parts/fields.tsx'
import type { Column } from '../table/admin-table.tsx'

const drawnDays = 30

export function useKeyColumns(): readonly Column<AdminApiKey>[] {
  const { t, locale } = useText()
  const dates = useLastDays(drawnDays)
  return useMemo(
    () => [
      { id: 'label', label: t('tiers.column.label'), cell: ({ label }) => <OwnText>{label}</OwnText> },
      {
        id: 'owner',
        label: t('tiers.column.owner'),
        cell: ({ username, userId }) => <bdi>{username ?? userId}</bdi>,
      },
      {
        id: 'prefix',
        label: t('tiers.column.prefix'),
        wideOnly: true,
        cell: ({ prefix, lastFour }) => (
          <code dir="ltr" className="font-mono text-2xs text-ink-2">
            {prefix}…{lastFour}
          </code>
        ),
      },
      {
        id: 'tier',
        label: t('tiers.column.tier'),
        cell: ({ tier, customLimits }) =>
          customLimits
            ? t('tiers.limit', { requests: customLimits.requests, minutes: customLimits.windowMinutes })
            : t(`keys.tier.${tier}`),
      },
      {
        id: 'created',
        label: t('tiers.column.created'),
        wideOnly: true,
        cell: ({ createdAt }) => <span className="text-ink-2">{formatDay(createdAt, locale)}</span>,
      },
      {
        id: 'used',
        label: t('tiers.column.used'),
        cell: ({ lastUsed }) => (
          <span className="text-ink-2">{lastUsed ? formatMoment(lastUsed, locale) : t('people.never')}</span>
        ),
      },
      {
        id: 'usage',
        label: t('tiers.column.usage'),
        end: true,
        cell: ({ label, usage }) => (
          <span className="inline-flex items-center gap-2">
            <Sparkline
              label={t('tiers.drawn', { label, count: usage.monthly.requests })}
              values={fillDays(usage.days ?? [], dates, ({ requests }) => requests)}
            />
            {formatCompact(usage.total.requests, locale)}
          </span>
        ),
      },
    ],
    [t, locale, dates],
  )
}
