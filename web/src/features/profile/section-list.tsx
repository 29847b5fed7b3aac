import { ArrowLeft, Brain, ChartLine, KeyRound, Palette, SlidersHorizontal, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { closeDrawer } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { classNames, Link, NavLink, useActiveInView } from '../../shared/ui/index.ts'

export interface ProfilePaths {
  readonly chat: string
  readonly profile: string
  readonly appearance: string
  readonly preferences: string
  readonly keys: string
  readonly usage: string
  readonly memory: string
  readonly docs: string
}

const icon = 'size-4.5 shrink-0'
const sections = [
  { name: 'profile', icon: <UserRound className={icon} /> },
  { name: 'appearance', icon: <Palette className={icon} /> },
  { name: 'preferences', icon: <SlidersHorizontal className={icon} /> },
  { name: 'keys', icon: <KeyRound className={icon} /> },
  { name: 'usage', icon: <ChartLine className={icon} /> },
  { name: 'memory', icon: <Brain className={icon} /> },
] as const

const row = 'flex h-9.5 items-center gap-2.5 rounded-row px-2.5 whitespace-nowrap hover:bg-hover pointer-coarse:h-11'

/** The sections of the profile in the sidebar, below the link back to the chat. */
export function SectionList({ brand, paths }: { brand: ReactNode; paths: ProfilePaths }) {
  const { t } = useText()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="flex h-13 shrink-0 items-center px-4.5">{brand}</div>
      <div className="px-2.5 pb-3">
        <Link to={paths.chat} onClick={closeDrawer} className={classNames(row, 'text-ink-2')}>
          <ArrowLeft className="size-4.5 shrink-0 rtl:-scale-x-100" />
          {t('profile.back')}
        </Link>
      </div>
      <SectionLinks paths={paths} className="flex flex-col gap-0.5 px-2.5" />
    </div>
  )
}

/** The sections as links, with the active one marked; in a narrow window they scroll sideways. */
export function SectionLinks({ paths, className }: { paths: ProfilePaths; className: string }) {
  const { t } = useText()
  const { pathname } = useLocation()
  const bar = useActiveInView<HTMLElement>(pathname)
  return (
    <nav ref={bar} aria-label={t('profile.sections')} className={className}>
      {sections.map(({ name, icon }) => (
        <NavLink
          key={name}
          to={paths[name]}
          end
          onClick={closeDrawer}
          className={(active) => classNames(row, active ? 'bg-active font-medium text-ink' : 'text-ink-2')}
        >
          {icon}
          {t(`profile.tab.${name}`)}
        </NavLink>
      ))}
    </nav>
  )
}
