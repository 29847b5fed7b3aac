import type { ActiveUsers } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { request } from '../../../shared/api/index.ts'
import { formatSeconds } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { DayPanel } from '../parts/day-panel.tsx'
import { Figures } from '../parts/figures.tsx'
import { countedDays } from './counted-days.ts'

const drawnDays = 30

const activeUsersQuery = adminQuery(['active-users'], (signal) => request(calls.activeUsers, { signal }))

/** The users active in the last 30 days, in total and by day. */
export function ActiveUsersPanel() {
  const { t } = useText()
  const dates = useLastDays(drawnDays)
  const active = useQuery(activeUsersQuery)
  const seriesOf = useCallback(
    ({ days }: ActiveUsers) => [{ label: t('overview.active'), values: countedDays(days, dates) }],
    [t, dates],
  )
  return (
    <DayPanel
      title={t('overview.active')}
      lead={
        <span className={active.data ? undefined : 'invisible'}>
          {t('overview.active.lead', { count: active.data?.last30Days ?? 0 })}
        </span>
      }
      query={active}
      failed={t('overview.active.failed')}
      dates={dates}
      seriesOf={seriesOf}
    />
  )
}

const loadFirstToken = (from: string, signal: AbortSignal) => request(calls.firstToken, { query: { from }, signal })
type FirstTokens = Awaited<ReturnType<typeof loadFirstToken>>

/** The time to the first token: today, in the last 30 days, and by day. */
export function FirstTokenPanel() {
  const { t, locale } = useText()
  const dates = useLastDays(drawnDays)
  const [from = '', today] = [dates[0], dates.at(-1)]
  const firstTokens = useQuery(adminQuery(['first-token', from], (signal) => loadFirstToken(from, signal)))
  const seriesOf = useCallback(
    ({ days }: FirstTokens) => {
      const byDate = new Map(days.map((day) => [day.date, day]))
      return [
        { label: t('overview.firstToken.p50'), values: dates.map((date) => byDate.get(date)?.p50Ms ?? null) },
        { label: t('overview.firstToken.p95'), values: dates.map((date) => byDate.get(date)?.p95Ms ?? null) },
      ]
    },
    [t, dates],
  )
  const summary = (loaded: FirstTokens | undefined) => {
    const ofToday = loaded?.days.find(({ date }) => date === today)
    const total = loaded?.total
    const figure = (label: string, told: { answers: number } | null | undefined, ms: number | undefined) => ({
      label,
      value: ms === undefined ? '–' : t('overview.seconds', { value: formatSeconds(ms, locale) }),
      note: t('overview.firstToken.answers', { count: told?.answers ?? 0 }),
    })
    return (
      <Figures
        isPending={!loaded}
        figures={[
          figure(t('overview.firstToken.todayP50'), ofToday, ofToday?.p50Ms),
          figure(t('overview.firstToken.todayP95'), ofToday, ofToday?.p95Ms),
          figure(t('overview.firstToken.monthP50'), total, total?.p50Ms),
          figure(t('overview.firstToken.monthP95'), total, total?.p95Ms),
        ]}
      />
    )
  }
  return (
    <DayPanel
      title={t('overview.firstToken')}
      lead={t('overview.firstToken.lead')}
      query={firstTokens}
      failed={t('overview.firstToken.failed')}
      dates={dates}
      seriesOf={seriesOf}
      summary={summary}
    />
  )
}
