import type { UserUsage } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { fillDays } from '../../../shared/plot/days.ts'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { DayPanel } from '../parts/day-panel.tsx'

const drawnDays = 30
const drawn = ['credits', 'requests'] as const

/** A user's usage on each of the last 30 days, in the web app and by API key. */
export function UserUsagePanel({ id }: { id: string }) {
  const { t, locale } = useText()
  const dates = useLastDays(drawnDays)
  const query = { from: dates[0] }
  const usage = useQuery(
    adminQuery(['user-usage', id, query], (signal) => request(calls.userUsage, { params: { id }, query, signal })),
  )
  const seriesOf = useCallback(
    ({ days }: UserUsage) =>
      drawn.map((shape) => ({
        label: t(`overview.shape.${shape}`),
        values: fillDays(days, dates, (day) => day[shape]),
      })),
    [t, dates],
  )
  return (
    <DayPanel
      title={t('overview.usage')}
      drawn={new Intl.ListFormat(locale).format(drawn.map((shape) => t(`overview.shape.${shape}`)))}
      lead={t('overview.utc')}
      query={usage}
      failed={t('overview.usageFailed')}
      dates={dates}
      seriesOf={seriesOf}
    />
  )
}
