import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { closeDrawer } from '../../../shared/frame/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Chip, classNames, Link, NavLink, useActiveInView } from '../../../shared/ui/index.ts'
import { adminPath } from './admin-path.ts'
import { sections } from './sections.tsx'

const row = 'flex h-9.5 items-center gap-2.5 rounded-row px-2.5 whitespace-nowrap hover:bg-hover pointer-coarse:h-11'
const groups = ['people', 'rules', 'system'] as const

/** Apart from the frame, whose list of chunks every visitor loads. A section whose data were not started asks for them itself. */
const startData = async (name: string, client: QueryClient): Promise<void> => {
  const data = await import('./section-data.ts').catch(() => undefined)
  data?.loadSectionData(name, client)
}

/** The sections of the administration in the sidebar, below the link back to the chat. */
export function SectionList({ brand, chatPath }: { brand: ReactNode; chatPath: string }) {
  const { t } = useText()
  const client = useQueryClient()
  const list = useActiveInView<HTMLDivElement>(useLocation().pathname)
  return (
    <div ref={list} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="flex h-13 shrink-0 items-center gap-2.5 px-4.5">
        {brand}
        <Chip className="h-5.5 text-2xs">{t('admin.title')}</Chip>
      </div>
      <div className="px-2.5 pb-3">
        <Link to={chatPath} onClick={closeDrawer} className={classNames(row, 'text-ink-2')}>
          <ArrowLeft className="size-4.5 shrink-0 rtl:-scale-x-100" />
          {t('profile.back')}
        </Link>
      </div>
      <nav aria-label={t('admin.sections')} className="flex flex-col gap-0.5 px-2.5 pb-3">
        {groups.map((group) => (
          <ul key={group} aria-label={t(`admin.group.${group}`)} className="flex flex-col gap-0.5">
            {group !== 'people' && (
              <li aria-hidden="true" className="px-2.5 pt-4 pb-1 text-2xs text-ink-3">
                {t(`admin.group.${group}`)}
              </li>
            )}
            {sections
              .filter((section) => section.group === group)
              .map(({ name, icon, Screen }) => (
                <li key={name}>
                  <NavLink
                    to={adminPath(name)}
                    end={name === 'overview'}
                    // A failure is handled when the section is drawn.
                    onPointerEnter={() => void Screen.prepare().catch(() => undefined)}
                    onClick={() => {
                      void startData(name, client)
                      closeDrawer()
                    }}
                    className={(active) => classNames(row, active ? 'bg-active font-medium text-ink' : 'text-ink-2')}
                  >
                    {icon}
                    {t(`admin.section.${name}`)}
                  </NavLink>
                </li>
              ))}
          </ul>
        ))}
      </nav>
    </div>
  )
}
