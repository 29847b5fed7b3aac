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

const statsQuery = adminQuery(['stats'], async (signal) => (await request(calls.stats, { signal })).stats)

/** `/admin`: numbers of users, current problems, activity, time to the first token, and usage. */
export function OverviewSection() {
  const { t, locale } = useText()
  const stats = useQuery(statsQuery)
  return (
    <Page title={t('admin.section.overview')}>
      <Loaded query={stats} failed={t('admin.failed')} shape={['100%', '100%']}>
        {({ totalUsers, newUsers, localUsers, oauthUsers, activeToday, bannedUsers, newlyBanned }) => (
          <Figures
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
              {
                label: t('overview.stats.active'),
                value: activeToday,
                note: t('overview.stats.share', {
                  share: formatShare(totalUsers > 0 ? activeToday / totalUsers : 0, locale),
                }),
              },
              {
                label: t('overview.stats.banned'),
                value: bannedUsers,
                note: t('overview.stats.newlyBanned', { count: newlyBanned }),
              },
            ]}
          />
        )}
      </Loaded>
      <Attention />
      <ActiveUsersPanel />
      <FirstTokenPanel />
      <UsagePanel />
    </Page>
  )
}
