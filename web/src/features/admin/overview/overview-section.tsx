import { useQuery } from '@tanstack/react-query'
import { request } from '../../../shared/api/index.ts'
import { formatShare } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { Page } from '../frame/page.tsx'
import { Figures } from '../parts/figures.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ActiveUsersPanel, FirstTokenPanel } from './activity-panels.tsx'
import { Attention } from './attention.tsx'
import { UsagePanel } from './usage-panel.tsx'

const loadStats = (signal: AbortSignal) => request(calls.stats, { signal })
const statsQuery = adminQuery(['stats'], async (signal) => (await loadStats(signal)).stats)

/** `/admin`: numbers of users, current problems, activity, time to the first token, and usage. */
export function OverviewSection() {
  const { t } = useText()
  const stats = useQuery(statsQuery)
  return (
    <Page title={t('admin.section.overview')}>
      <Loaded query={stats} failed={t('admin.failed')} placeholder={<Stats />}>
        {(loaded) => <Stats stats={loaded} />}
      </Loaded>
      <Attention />
      <ActiveUsersPanel />
      <FirstTokenPanel />
      <UsagePanel />
    </Page>
  )
}

type StatsAnswer = Awaited<ReturnType<typeof loadStats>>['stats']

function Stats({ stats }: { stats?: StatsAnswer }) {
  const { t, locale } = useText()
  const { totalUsers = 0, newUsers = 0, localUsers = 0, oauthUsers = 0 } = stats ?? {}
  const { activeToday = 0, bannedUsers = 0, newlyBanned = 0 } = stats ?? {}
  const share = formatShare(totalUsers > 0 ? activeToday / totalUsers : 0, locale)
  return (
    <Figures
      isPending={!stats}
      figures={[
        {
          label: t('overview.stats.total'),
          value: totalUsers,
          note: t('overview.stats.new', { count: newUsers }),
        },
        {
          label: t('overview.stats.local'),
          value: localUsers,
          note: t('overview.stats.oauth', { count: oauthUsers }),
        },
        { label: t('overview.stats.active'), value: activeToday, note: t('overview.stats.share', { share }) },
        {
          label: t('overview.stats.banned'),
          value: bannedUsers,
          note: t('overview.stats.newlyBanned', { count: newlyBanned }),
        },
      ]}
    />
  )
}
