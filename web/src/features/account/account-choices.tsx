import {
  BookText,
  ChevronRight,
  Languages,
  LogIn,
  LogOut,
  Monitor,
  MonitorDown,
  Moon,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Sun,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { closeDrawer } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useInstall } from '../../shared/install/index.ts'
import { endViewing, type StoredUser, useSession } from '../../shared/session/index.ts'
import { chooseTheme } from '../../shared/theme/synced-theme.ts'
import { type ThemeName, themeNames, useTheme } from '../../shared/theme/theme.ts'
import { MenuItem, MenuSeparator, notify } from '../../shared/ui/index.ts'
import { LanguageItems } from './language-items.tsx'
import { useSignOut } from './use-sign-out.ts'

const themeIcons: Record<ThemeName, ReactNode> = {
  delgdark: <Moon />,
  delglight: <Sun />,
  system: <Monitor />,
}

export function AccountChoices({ user }: { user: StoredUser | null }) {
  const { t } = useText()
  const navigate = useNavigate()
  const theme = useTheme((state) => state.name)
  const signOut = useSignOut()
  const isViewing = useSession(({ viewing }) => viewing !== null)
  const install = useInstall()
  const [languages, setLanguages] = useState(false)
  const go = (path: string) => () => {
    closeDrawer()
    navigate(path)
  }
  // Applied anyway; if saving fails the theme stays in this browser.
  const keepTheme = (name: ThemeName) =>
    void chooseTheme(name).catch(() => notify.error((now) => now('account.notKept')))
  if (languages) return <LanguageItems />
  return (
    <>
      <p className="px-2.5 pt-1.5 pb-1 text-2xs text-ink-3">{t('account.theme')}</p>
      {themeNames.map((name) => (
        <MenuItem key={name} icon={themeIcons[name]} checked={theme === name} onSelect={() => keepTheme(name)}>
          {t(`account.theme.${name}`)}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Languages />} keepsOpen onSelect={() => setLanguages(true)}>
        {t('shared.language')}
        <ChevronRight className="ms-auto size-4 text-ink-3 rtl:-scale-x-100" />
      </MenuItem>
      {user && (
        <MenuItem icon={<Settings />} keepsFocus onSelect={go('/profile')}>
          {t('account.settings')}
        </MenuItem>
      )}
      {user?.isAdmin && (
        <MenuItem icon={<SquareTerminal />} keepsFocus onSelect={go('/admin')}>
          {t('account.administration')}
        </MenuItem>
      )}
      {install && (
        <MenuItem icon={<MonitorDown />} onSelect={install}>
          {t('account.install')}
        </MenuItem>
      )}
      <MenuItem icon={<BookText />} keepsFocus onSelect={go('/docs/api')}>
        {t('account.docs')}
      </MenuItem>
      <MenuItem icon={<ShieldCheck />} keepsFocus onSelect={go('/privacy')}>
        {t('account.privacy')}
      </MenuItem>
      {user ? (
        <MenuItem icon={<LogOut className="rtl:-scale-x-100" />} keepsFocus onSelect={isViewing ? endViewing : signOut}>
          {t(isViewing ? 'viewing.end' : 'shared.signOut')}
        </MenuItem>
      ) : (
        <MenuItem icon={<LogIn className="rtl:-scale-x-100" />} keepsFocus onSelect={go('/login')}>
          {t('shared.signIn')}
        </MenuItem>
      )}
    </>
  )
}
