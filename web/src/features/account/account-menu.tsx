import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, UserRound } from 'lucide-react'
import { creditsQuery } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { earlyPart } from '../../shared/lazy/index.ts'
import { type StoredUser, useSession } from '../../shared/session/index.ts'
import { Menu, type TriggerProps } from '../../shared/ui/index.ts'
import { initialsOf } from './initials.ts'

const AccountChoices = earlyPart(async () => (await import('./account-choices.tsx')).AccountChoices)

/** The sidebar's footer: the user, theme, language, and sign-in or sign-out. */
export function AccountMenu() {
  const { t } = useText()
  const user = useSession((state) => state.user)
  return (
    <div className="shrink-0 border-t border-line p-2">
      <Menu label={t('account.menu')} trigger={(props) => <Trigger {...props} user={user} />}>
        <AccountChoices user={user} />
      </Menu>
    </div>
  )
}

function Trigger({ user, ref, ...props }: TriggerProps & { user: StoredUser | null }) {
  const { t } = useText()
  const name = user ? (user.displayName ?? user.username) : t('account.guest')
  return (
    <button
      type="button"
      ref={ref}
      {...props}
      className="flex w-full items-center gap-2.5 rounded-card px-2 py-1.5 text-start hover:bg-hover"
    >
      <span
        aria-hidden="true"
        className="grid size-7 shrink-0 place-items-center rounded-full bg-brand-weak text-2xs font-semibold text-brand"
      >
        {user ? initialsOf(name) : <UserRound className="size-4" />}
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="block truncate text-2xs text-ink-3">
          {user ? <PlanLine user={user} /> : t('account.guestHint')}
        </span>
      </span>
      <ChevronsUpDown className="size-4 text-ink-3" />
    </button>
  )
}

function PlanLine({ user }: { user: StoredUser }) {
  const { t } = useText()
  const { data } = useQuery(creditsQuery)
  if (user.isAdmin) return t('account.admin')
  // A non-breaking space keeps the line's height until the plan is known.
  return data ? t('account.plan', { plan: data.plan.name }) : '\u00a0'
}
