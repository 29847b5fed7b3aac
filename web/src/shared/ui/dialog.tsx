import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** Shows a close button; a question has its own buttons. */
  readonly closable?: boolean
  /** Reading width, or the whole window. */
  readonly wide?: boolean | 'window'
  readonly children: ReactNode
}

/** A modal dialog; Escape and a click outside close it, and focus returns to the element that opened it. */
export function Dialog({ open, onClose, title, closable = true, wide = false, children }: DialogProps) {
  const { t } = useText()
  const ref = useRef<HTMLDialogElement>(null)
  // A press inside that is released outside, as when selecting text, also ends in a click on the dialog itself.
  const pressed = useRef<EventTarget>(null)
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
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      onClick={({ target }) => target === ref.current && pressed.current === target && onClose()}
      className={classNames(
        'm-auto rounded-dock border border-line-strong bg-overlay p-0 text-ink shadow-float',
        wide === 'window'
          ? 'h-[calc(100dvh-1rem)] w-[calc(100vw-1rem)] max-w-none max-h-none'
          : wide
            ? 'w-[min(46rem,calc(100vw-1rem))]'
            : 'w-[min(28rem,calc(100vw-2rem))]',
      )}
    >
      <div className={classNames(wide ? 'p-3.5 sm:p-5' : 'p-5', wide === 'window' && 'flex h-full flex-col')}>
        <div className="mb-3 flex items-start justify-between gap-3">
          <h2 id={id} className="text-lg font-semibold tracking-tight">
            {title}
          </h2>
          {closable && (
            <IconButton label={t('shared.dismiss')} size="small" onClick={onClose}>
              <X className="size-4.5" />
            </IconButton>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** A confirmation of an irreversible act. */
export function ConfirmDialog(
  props: Omit<DialogProps, 'children' | 'closable' | 'wide'> & {
    text: string
    confirmLabel: string
    busy?: boolean
    onConfirm: () => void
    /** Shown below the text, such as the reason for a failure. */
    children?: ReactNode
  },
) {
  const { t } = useText()
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title} closable={false}>
      <p className="text-ink-2">{props.text}</p>
      {props.children && <div className="mt-4">{props.children}</div>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={props.onClose}>{t('shared.cancel')}</Button>
        <Button look="danger" busy={props.busy ?? false} onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
