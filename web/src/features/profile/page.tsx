import type { ReactNode } from 'react'
import { FrameHeader } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { type ProfilePaths, SectionLinks } from './section-list.tsx'

interface PageProps {
  readonly title: string
  readonly paths: ProfilePaths
  /** Nothing can be changed here: its buttons only show more, and stay enabled while an admin views the product as the user. */
  readonly isReport?: boolean
  readonly children: ReactNode
}

/** A section of the profile: its title, and in a narrow window the links to the others. */
export function Page({ title, paths, isReport = false, children }: PageProps) {
  const { t } = useText()
  const isReadOnly = useSession(({ viewing }) => viewing !== null) && !isReport
  return (
    <>
      <title>{`${title} · Parley`}</title>
      <FrameHeader>
        <span className="truncate px-1 text-sm text-ink-2 md:px-2">{t('profile.title')}</span>
      </FrameHeader>
      <div
        // A scroll container must be reachable by keyboard, even if all its fields are disabled.
        {...(isReadOnly && { role: 'region', 'aria-label': title, tabIndex: 0 })}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <SectionLinks paths={paths} className="flex gap-1 overflow-x-auto border-b border-line px-2 py-1.5 md:hidden" />
        <div className="mx-auto max-w-measure px-4 pt-6 pb-16 md:px-6 md:pt-9">
          <h1 className="mb-7 text-2xl leading-tight font-semibold tracking-tight">{title}</h1>
          <div className="flex flex-col gap-9">
            {/* The browser disables all fields and buttons inside: the server would refuse their requests. */}
            {isReadOnly ? (
              <fieldset disabled className="contents">
                {children}
              </fieldset>
            ) : (
              children
            )}
          </div>
        </div>
      </div>
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly lead?: ReactNode
  /** Shown at the end of the title's line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a section with its own heading. */
export function Section({ title, lead, aside, children }: SectionProps) {
  return (
    <section aria-label={title}>
      {/* In languages with long words the aside wraps into its own line on a phone. */}
      <div className="mb-3 flex min-h-6 flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <div className="flex-1 basis-56">
          <h2 className="font-semibold">{title}</h2>
          {lead && <p className="mt-0.5 text-sm text-ink-2">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}
