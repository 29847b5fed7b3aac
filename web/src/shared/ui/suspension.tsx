import { ShieldAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './button.tsx'

/** Covers everything for a banned account; only signing out is possible. */
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
          <ShieldAlert className="size-6" />
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
