import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { FrameHeader } from '../../../shared/frame/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { UpdatedAgo } from './updated-ago.tsx'

interface Props {
  readonly title: string
  /** The section's actions, at the end of the title's line. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The page of a section: its title, the age of its values, and a button to refresh them. */
export function Page({ title, actions, children }: Props) {
  const { t } = useText()
  const { refresh, busy } = useRefresh()
  return (
    <>
      <title>{`${title} · ${t('admin.title')} · Parley`}</title>
      <FrameHeader>
        <span className="truncate px-1 text-sm text-ink-2 md:px-2">{t('admin.title')}</span>
        <span className="ms-auto flex items-center gap-3">
          <UpdatedAgo />
          <Button size="small" busy={busy} onClick={refresh}>
            {!busy && <RefreshCw className="size-3.75" />}
            {t('admin.refresh')}
          </Button>
        </span>
      </FrameHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[73.75rem] px-4 pt-5 pb-16 md:px-8 md:pt-7">
          <div className="mb-5 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="me-auto min-w-0 text-xl leading-tight font-semibold tracking-tight">{title}</h1>
            {actions}
          </div>
          <div className="flex flex-col gap-7">{children}</div>
        </div>
      </div>
    </>
  )
}

interface PanelProps {
  readonly title: string
  /** Shown before the title. */
  readonly mark?: ReactNode
  readonly lead?: ReactNode
  /** Shown at the end of the title's line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a section with a heading. */
export function Panel({ title, mark, lead, aside, children }: PanelProps) {
  return (
    <section aria-label={title}>
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 font-semibold">
            {mark}
            {title}
          </h2>
          {lead && <p className="mt-0.5 text-sm text-ink-2">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}
