import type { AdminUser } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Ellipsis } from 'lucide-react'
import { isApiError } from '../../../shared/api/index.ts'
import { formatCompact, formatDay, formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, Link, Menu } from '../../../shared/ui/index.ts'
import { adminPath } from '../frame/admin-path.ts'
import { Page } from '../frame/page.tsx'
import { Figures } from '../parts/figures.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ActButton, ActsOn } from '../parts/read-only.tsx'
import { useUserActs } from './use-user-acts.ts'
import { UserTags } from './user-columns.tsx'
import { UserDialogs } from './user-dialogs.tsx'
import { UserMenu } from './user-menu.tsx'
import { type UserDetail, userQuery } from './user-queries.ts'
import { UserAudit, UserKeys, UserReceipts } from './user-records.tsx'
import { UserUsagePanel } from './user-usage.tsx'
import { WithoutBilling } from './without-billing.tsx'

/** `/admin/users/{id}`: a user's account, usage, receipts and audit entries; never their chats. */
export function UserPage({ id }: { id: string }) {
  const { t } = useText()
  const user = useQuery(userQuery(id))
  const acts = useUserActs()
  const name = user.data?.user.username
  if (isUnknown(user.error)) return <UnknownUser />
  return (
    <Page
      title={name ?? t('people.page.title')}
      actions={
        user.data && (
          <ActsOn query={user}>
            <PageActions detail={user.data} acts={acts} />
          </ActsOn>
        )
      }
    >
      <BackToAll />
      <Loaded query={user} failed={t('people.page.failed')} placeholder={<UserSummary />}>
        {(detail) => (
          <>
            {detail.without && <WithoutBilling {...detail.without} />}
            <UserSummary detail={detail} />
          </>
        )}
      </Loaded>
      <UserUsagePanel id={id} />
      <UserReceipts id={id} />
      <UserKeys id={id} />
      <UserAudit id={id} />
      <UserDialogs acts={acts} onDone={() => undefined} />
    </Page>
  )
}

const isUnknown = (error: unknown): boolean => isApiError(error) && error.status === 404

/** Shown if the user does not exist, or no longer. */
function UnknownUser() {
  const { t } = useText()
  return (
    <Page title={t('people.page.unknown')}>
      <BackToAll />
      <p className="text-ink-2">{t('people.page.unknownText')}</p>
    </Page>
  )
}

function BackToAll() {
  const { t } = useText()
  return (
    <Link
      to={adminPath('users')}
      className="-mt-4 inline-flex items-center gap-1.5 self-start rounded-sm text-sm text-ink-2 hover:text-ink"
    >
      <ArrowLeft className="size-3.75 rtl:-scale-x-100" />
      {t('people.page.back')}
    </Link>
  )
}

function PageActions({ detail, acts }: { detail: UserDetail; acts: ReturnType<typeof useUserActs> }) {
  const { t } = useText()
  const { user, without } = detail
  return (
    <>
      <UserTags user={user} />
      <Menu
        label={t('admin.table.options', { name: user.username })}
        align="end"
        trigger={(trigger) => (
          <ActButton {...trigger}>
            <Ellipsis className="size-4.5" />
            {t('admin.table.actions')}
          </ActButton>
        )}
      >
        <UserMenu user={user} acts={acts} isBilled={!without} />
      </Menu>
    </>
  )
}

/** Without a user, a placeholder of the same size. */
function UserSummary({ detail }: { detail?: UserDetail }) {
  const { t, locale } = useText()
  const { user, sessions = 0, keys = 0, usage } = detail ?? {}
  const fact = (read: (user: AdminUser) => string) => (user ? read(user) : '\u00A0')
  const facts = [
    [t('people.column.email'), fact(({ email }) => email)],
    [t('people.column.type'), fact(({ type }) => t(`people.type.${type}`))],
    [t('people.column.created'), fact(({ createdAt }) => formatDay(createdAt, locale))],
    [
      t('people.column.lastLogin'),
      fact(({ lastLoginAt }) => (lastLoginAt ? formatMoment(lastLoginAt, locale) : t('people.never'))),
    ],
    [t('people.column.plan'), fact(({ plan }) => plan?.name ?? '–')],
    [t('people.column.reset'), fact(({ credits }) => (credits ? formatDay(credits.resetDate, locale) : '–'))],
  ] as const
  return (
    <div className="flex flex-col gap-4">
      <Figures
        isPending={!detail}
        figures={[
          {
            label: t('people.column.credits'),
            value: user?.credits?.remaining ?? '–',
            ...(user?.credits !== null && { note: t('people.page.ofMonth', { count: user?.credits.monthly ?? 0 }) }),
          },
          { label: t('people.page.requests'), value: usage?.requests ?? '–' },
          {
            label: t('people.page.tokens'),
            value: usage ? formatCompact(usage.inputTokens + usage.outputTokens, locale) : '–',
            ...(usage !== null && { note: t('people.page.spent', { count: usage?.credits ?? 0 }) }),
          },
          {
            label: t('people.page.sessions'),
            value: sessions,
            ...(keys !== null && { note: t('people.page.keys', { count: keys }) }),
          },
        ]}
      />
      <Box className="px-4 py-3.5">
        <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
          {facts.map(([label, value]) => (
            <div key={label} className="min-w-0">
              <dt className="text-ink-3">{label}</dt>
              <dd className="truncate">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </Box>
    </div>
  )
}
