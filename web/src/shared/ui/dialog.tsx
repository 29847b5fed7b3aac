import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './button.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** A modal dialog; Escape and a click beside it close it, and focus returns to what opened it. */
export function Dialog({ open, onClose, title, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    const opener = document.activeElement
    dialog.showModal()
    return () => {
      dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [open])
  if (!open) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way and the browser's own
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && onClose()}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-dock border border-line-strong bg-overlay p-0 text-ink shadow-float"
    >
      <div className="p-5">
        <h2 id={id} className="mb-2 text-lg font-semibold tracking-tight">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

/** A question before something that cannot be taken back. */
export function ConfirmDialog(
  props: Omit<DialogProps, 'children'> & { text: string; confirmLabel: string; busy?: boolean; onConfirm: () => void },
) {
  const { t } = useText()
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <p className="text-ink-2">{props.text}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={props.onClose}>{t('shared.cancel')}</Button>
        <Button look="danger" busy={props.busy ?? false} onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
