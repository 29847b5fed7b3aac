import { useRef, useState } from 'react'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'

/** The result of an act, or why it failed, with undo. */
export interface Notice {
  readonly words: Wording
  readonly failed?: boolean
  readonly undo?: () => Promise<void>
}

/** Shows a notice in the panel; null removes it. */
export type Announce = (notice: Notice | null) => void

/**
 * The status line at the foot of the panel, announced politely. Not a toast: the panel may be in a modal dialog, above which toasts are inert.
 */
export function NoticeLine({ notice, announce }: { notice: Notice | null; announce: Announce }) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const line = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement | null>(null)
  /** Returns the focus, which is about to be lost with a button of the notice, to where it was before, or else to the panel's tab. */
  const leave = () => {
    if (!line.current?.contains(document.activeElement)) return
    const tab = line.current.parentElement?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
    const target = before.current?.isConnected ? before.current : tab
    target?.focus()
  }
  const undo = async (act: () => Promise<void>) => {
    setBusy(true)
    await act()
    setBusy(false)
    leave()
  }
  return (
    <div
      ref={line}
      role="status"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null
      }}
      className="sticky bottom-0 z-10 pt-3 pb-1 empty:p-0"
    >
      {notice && (
        <div className="flex items-center gap-3 rounded-card border border-line-strong bg-overlay py-2 ps-3.5 pe-2 text-sm shadow-float">
          <p className={notice.failed ? 'min-w-0 flex-1 text-danger' : 'min-w-0 flex-1'}>{notice.words(t)}</p>
          {notice.undo && (
            <Button size="small" busy={busy} onClick={() => notice.undo && void undo(notice.undo)}>
              {t('memory.undo')}
            </Button>
          )}
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              leave()
              announce(null)
            }}
          >
            {t('shared.dismiss')}
          </Button>
        </div>
      )}
    </div>
  )
}
