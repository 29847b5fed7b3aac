import {
  Activity,
  Boxes,
  CircleDollarSign,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ScrollText,
  Settings2,
  UsersRound,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { type LazyPart, lazyScreen } from '../../../shared/lazy/index.ts'

/** A section of the administration, loaded when it is opened. */
interface AdminSection {
  /** The last part of its address `/admin/<name>`; the overview is at `/admin`. */
  readonly name: string
  readonly group: 'people' | 'rules' | 'system'
  readonly icon: ReactNode
  /** `rest` is the address below the section's, without the slash: a user's id at `/admin/users/7`. */
  readonly Screen: LazyPart<{ rest: string }>
}

const icon = 'size-4.5 shrink-0'

/** The sections in the order of the list. To add one, add an entry. */
export const sections = [
  {
    name: 'overview',
    group: 'people',
    icon: <LayoutDashboard className={icon} />,
    Screen: lazyScreen(async () => (await import('../overview/overview-section.tsx')).OverviewSection),
  },
  {
    name: 'users',
    group: 'people',
    icon: <UsersRound className={icon} />,
    Screen: lazyScreen(async () => (await import('../users/users-section.tsx')).UsersSection),
  },
  {
    name: 'models',
    group: 'people',
    icon: <Boxes className={icon} />,
    Screen: lazyScreen(async () => (await import('../models/models-section.tsx')).ModelsSection),
  },
  {
    name: 'plans',
    group: 'people',
    icon: <Wallet className={icon} />,
    Screen: lazyScreen(async () => (await import('../plans/plans-section.tsx')).PlansSection),
  },
  {
    name: 'keys',
    group: 'people',
    icon: <KeyRound className={icon} />,
    Screen: lazyScreen(async () => (await import('../keys/keys-section.tsx')).KeysSection),
  },
  {
    name: 'limits',
    group: 'rules',
    icon: <Gauge className={icon} />,
    Screen: lazyScreen(async () => (await import('../limits/limits-section.tsx')).LimitsSection),
  },
  {
    name: 'settings',
    group: 'rules',
    icon: <Settings2 className={icon} />,
    Screen: lazyScreen(async () => (await import('../settings/settings-section.tsx')).SettingsSection),
  },
  {
    name: 'money',
    group: 'system',
    icon: <CircleDollarSign className={icon} />,
    Screen: lazyScreen(async () => (await import('../money/money-section.tsx')).MoneySection),
  },
  {
    name: 'health',
    group: 'system',
    icon: <Activity className={icon} />,
    Screen: lazyScreen(async () => (await import('../health/health-section.tsx')).HealthSection),
  },
  {
    name: 'audit',
    group: 'system',
    icon: <ScrollText className={icon} />,
    Screen: lazyScreen(async () => (await import('../audit/audit-section.tsx')).AuditSection),
  },
] as const satisfies readonly AdminSection[]

/** The section of an address and the rest below it; undefined for an unknown address. */
export function readAdminPath(pathname: string) {
  const [name = '', ...rest] = pathname.replace(/^\/admin\/?/, '').split('/')
  const section = sections.find((one) => one.name === (name === '' ? 'overview' : name))
  return { section, rest: decodeURIComponentSafely(rest.join('/')) }
}

/** A malformed escape is an unknown address, not an error of the page. */
function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Imports the code of the section at an address. */
export const prepareSection = async (pathname: string): Promise<void> =>
  readAdminPath(pathname).section?.Screen.prepare()
