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
import type { MessageId } from '../../../shared/i18n/index.ts'
import { type LazyPart, lazyScreen } from '../../../shared/lazy/index.ts'

/** A section of the administration, loaded when it is opened. */
export interface AdminSection {
  /** The last part of its address `/admin/<name>`; the overview is at `/admin`. */
  readonly name: string
  readonly label: MessageId
  readonly group: 'people' | 'rules' | 'system'
  readonly icon: ReactNode
  /** `rest` is the address below the section's, without the slash: a user's id at `/admin/users/7`. */
  readonly Screen: LazyPart<{ rest: string }>
}

const icon = { 'aria-hidden': true, className: 'size-4.5 shrink-0', strokeWidth: 1.6 } as const

/** The sections in the order of the list. To add one, add an entry. */
export const sections: readonly AdminSection[] = [
  {
    name: 'overview',
    label: 'admin.section.overview',
    group: 'people',
    icon: <LayoutDashboard {...icon} />,
    Screen: lazyScreen(async () => (await import('../overview/overview-section.tsx')).OverviewSection),
  },
  {
    name: 'users',
    label: 'admin.section.users',
    group: 'people',
    icon: <UsersRound {...icon} />,
    Screen: lazyScreen(async () => (await import('../users/users-section.tsx')).UsersSection),
  },
  {
    name: 'models',
    label: 'admin.section.models',
    group: 'people',
    icon: <Boxes {...icon} />,
    Screen: lazyScreen(async () => (await import('../models/models-section.tsx')).ModelsSection),
  },
  {
    name: 'plans',
    label: 'admin.section.plans',
    group: 'people',
    icon: <Wallet {...icon} />,
    Screen: lazyScreen(async () => (await import('../plans/plans-section.tsx')).PlansSection),
  },
  {
    name: 'keys',
    label: 'admin.section.keys',
    group: 'people',
    icon: <KeyRound {...icon} />,
    Screen: lazyScreen(async () => (await import('../keys/keys-section.tsx')).KeysSection),
  },
  {
    name: 'limits',
    label: 'admin.section.limits',
    group: 'rules',
    icon: <Gauge {...icon} />,
    Screen: lazyScreen(async () => (await import('../limits/limits-section.tsx')).LimitsSection),
  },
  {
    name: 'settings',
    label: 'admin.section.settings',
    group: 'rules',
    icon: <Settings2 {...icon} />,
    Screen: lazyScreen(async () => (await import('../settings/settings-section.tsx')).SettingsSection),
  },
  {
    name: 'money',
    label: 'admin.section.money',
    group: 'system',
    icon: <CircleDollarSign {...icon} />,
    Screen: lazyScreen(async () => (await import('../money/money-section.tsx')).MoneySection),
  },
  {
    name: 'health',
    label: 'admin.section.health',
    group: 'system',
    icon: <Activity {...icon} />,
    Screen: lazyScreen(async () => (await import('../health/health-section.tsx')).HealthSection),
  },
  {
    name: 'audit',
    label: 'admin.section.audit',
    group: 'system',
    icon: <ScrollText {...icon} />,
    Screen: lazyScreen(async () => (await import('../audit/audit-section.tsx')).AuditSection),
  },
]

/** The section of an address and the rest below it; undefined for an unknown address. */
export function readAdminPath(pathname: string): { section: AdminSection | undefined; rest: string } {
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
