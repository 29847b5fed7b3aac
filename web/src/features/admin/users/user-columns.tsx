import type { AdminUser } from '@parley/contracts'
import { useMemo } from 'react'
import { formatDay, formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { Meter, OwnText, Tag } from '../parts/fields.tsx'
import type { Column } from '../table/admin-table.tsx'

export function useUserColumns(): readonly Column<AdminUser>[] {
  const { t, locale } = useText()
  return useMemo(
    () => [
      {
        id: 'username',
        label: t('people.column.user'),
        sortable: true,
        cell: ({ username }) => <OwnText>{username}</OwnText>,
      },
      {
        id: 'email',
        label: t('people.column.email'),
        cell: ({ email }) => (
          <bdi title={email} className="block w-fit text-ink-2 md:max-w-36 2xl:max-w-44 @xl:truncate">
            {email}
          </bdi>
        ),
        wideOnly: true,
      },
      { id: 'state', label: t('people.column.state'), cell: (user) => <UserTags user={user} /> },
      { id: 'plan', label: t('people.column.plan'), cell: ({ plan }) => plan?.name ?? '–' },
      {
        id: 'credits',
        label: t('people.column.credits'),
        end: true,
        cell: ({ credits }) => (credits ? <CreditsCell credits={credits} /> : '–'),
      },
      { id: 'type', label: t('people.column.type'), cell: ({ type }) => t(`people.type.${type}`), wideOnly: true },
      {
        id: 'createdAt',
        label: t('people.column.created'),
        sortable: true,
        cell: ({ createdAt }) => <span className="text-ink-2">{formatDay(createdAt, locale)}</span>,
        wideOnly: true,
      },
      {
        id: 'lastLoginAt',
        label: t('people.column.lastLogin'),
        sortable: true,
        cell: ({ lastLoginAt }) => (
          <span className="text-ink-2">{lastLoginAt ? formatMoment(lastLoginAt, locale) : t('people.never')}</span>
        ),
        wideOnly: true,
      },
    ],
    [t, locale],
  )
}

function CreditsCell({ credits }: { credits: NonNullable<AdminUser['credits']> }) {
  const { t, locale } = useText()
  return (
    <span title={t('people.reset', { date: formatDay(credits.resetDate, locale) })}>
      {numberFormat(locale).format(credits.remaining)}
      <Meter share={credits.monthly > 0 ? credits.remaining / credits.monthly : 1} />
    </span>
  )
}

/** Tags for a user's rights and restrictions. */
export function UserTags({ user }: { user: AdminUser }) {
  const { t } = useText()
  return (
    <span className="inline-flex gap-1">
      {user.banned && <Tag tone="danger">{t('people.state.banned')}</Tag>}
      {user.isSuperAdmin ? (
        <Tag tone="on">{t('people.state.superAdmin')}</Tag>
      ) : (
        user.isAdmin && <Tag tone="on">{t('people.state.admin')}</Tag>
      )}
      {!user.emailVerified && <Tag tone="warn">{t('people.state.unverified')}</Tag>}
      {!user.banned && !user.isAdmin && user.emailVerified && <Tag>{t('people.state.active')}</Tag>}
    </span>
  )
}
