import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, LogIn, LogOut, Monitor, Moon, Settings, ShieldCheck, Sun, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { creditsQuery } from '../../shared/api/index.ts'
import { closeDrawer } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type StoredUser, useSession } from '../../shared/session/index.ts'
import { chooseTheme } from '../../shared/theme/synced-theme.ts'
import { type ThemeName, themeNames, useTheme } from '../../shared/theme/theme.ts'
import { Menu, MenuItem, MenuSeparator, notify, type TriggerProps } from '../../shared/ui/index.ts'
import { initialsOf } from './initials.ts'
import { useSignOut } from './use-sign-out.ts'

const icon = { 'aria-hidden': true, className: 'size-4.5 shrink-0', strokeWidth: 1.6 } as const
const themeIcons: Record<ThemeName, ReactNode> = {
  delgdark: <Moon {...icon} />,
  delglight: <Sun {...icon} />,
  system: <Monitor {...icon} />,
}

/** The sidebar's foot: who is here, the theme, and the way out or in. */
export function AccountMenu() {
  const { t } = useText()
  const navigate = useNavigate()
  const user = useSession((state) => state.user)
  const theme = useTheme((state) => state.name)
  const signOut = useSignOut()
  const go = (path: string) => () => {
    closeDrawer()
    navigate(path)
  }
  // It is drawn anyway; without the account it stays this browser's.
  const keepTheme = (name: ThemeName) => void chooseTheme(name).catch(() => notify.error(t('account.notKept')))
  return (
    <div className="shrink-0 border-t border-line p-2">
      <Menu label={t('account.menu')} trigger={(props) => <Trigger {...props} user={user} />}>
        <p className="px-2.5 pt-1.5 pb-1 text-2xs text-ink-3">{t('account.theme')}</p>
        {themeNames.map((name) => (
          <MenuItem key={name} icon={themeIcons[name]} checked={theme === name} onSelect={() => keepTheme(name)}>
            {t(`account.theme.${name}`)}
          </MenuItem>
        ))}
        <MenuSeparator />
        {user && (
          <MenuItem icon={<Settings {...icon} />} keepsFocus onSelect={go('/profile')}>
            {t('account.settings')}
          </MenuItem>
        )}
        <MenuItem icon={<ShieldCheck {...icon} />} keepsFocus onSelect={go('/privacy')}>
          {t('account.privacy')}
        </MenuItem>
        {user ? (
          <MenuItem icon={<LogOut {...icon} />} keepsFocus onSelect={signOut}>
            {t('shared.signOut')}
          </MenuItem>
        ) : (
          <MenuItem icon={<LogIn {...icon} />} keepsFocus onSelect={go('/login')}>
            {t('shared.signIn')}
          </MenuItem>
        )}
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
        {user ? initialsOf(name) : <UserRound className="size-4" strokeWidth={1.6} />}
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="block truncate text-2xs text-ink-3">
          {user ? <PlanLine user={user} /> : t('account.guestHint')}
        </span>
      </span>
      <ChevronsUpDown aria-hidden="true" className="size-4 text-ink-3" strokeWidth={1.6} />
    </button>
  )
}

function PlanLine({ user }: { user: StoredUser }) {
  const { t } = useText()
  const { data } = useQuery(creditsQuery)
  if (user.isAdmin) return t('account.admin')
  // A space that does not break keeps the line's height until the plan is known.
  return data ? t('account.plan', { plan: data.plan.name }) : '\u00a0'
}
