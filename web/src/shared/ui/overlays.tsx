import { ShieldAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type MessageId, useText } from '../i18n/index.ts'
import { Button } from './button.tsx'
import { Spinner } from './spinner.tsx'
import { useDelayed } from './use-delayed.ts'

const loadingTexts = {
  authenticating: 'shared.loading.authenticating',
  admin: 'shared.loading.admin',
  page: 'shared.loading.page',
} as const satisfies Record<string, MessageId>

interface LoadingOverlayProps {
  readonly what?: keyof typeof loadingTexts
  /** Invisible for so many milliseconds. */
  readonly delayMs?: number
}

/** Covers the page while nothing can be shown yet. */
export function LoadingOverlay({ what = 'page', delayMs = 150 }: LoadingOverlayProps) {
  const { t } = useText()
  const shown = useDelayed(delayMs)
  return (
    <div role="status" className="fixed inset-0 z-40 grid place-items-center bg-page">
      {shown && (
        <div className="flex items-center gap-3 text-ink-2">
          <Spinner />
          {t(loadingTexts[what])}
        </div>
      )}
    </div>
  )
}

/** Covers everything for a banned account; only signing out is left. */
export function SuspensionOverlay({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useText()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-labelledby="suspension-title"
      aria-describedby="suspension-text"
      onCancel={(event) => event.preventDefault()}
      className="fixed inset-0 m-0 grid h-dvh max-h-none w-screen max-w-none place-items-center bg-page p-6 text-ink"
    >
      <div className="flex max-w-card flex-col items-center gap-3 text-center">
        <span className="grid size-12 place-items-center rounded-full bg-danger-weak text-danger">
          <ShieldAlert aria-hidden="true" className="size-6" strokeWidth={1.6} />
        </span>
        <h1 id="suspension-title" className="text-2xl font-semibold tracking-tight">
          {t('shared.suspended.title')}
        </h1>
        <p id="suspension-text" className="text-ink-2">
          {t('shared.suspended.text')}
        </p>
        <Button className="mt-3" onClick={onSignOut}>
          {t('shared.signOut')}
        </Button>
      </div>
    </dialog>
  )
}
