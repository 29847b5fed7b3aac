import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { LaterTexts, useText } from '../../shared/i18n/index.ts'
import { lazyPart } from '../../shared/lazy/index.ts'
import { FieldBox, fieldLook, maxQuery } from './field-box.tsx'
import type { FinderInput } from './finder.tsx'

const Finder = lazyPart(async () => (await import('./finder.tsx')).Finder)

/**
 * One field for chats, commands, models and settings; Escape closes it. The field appears immediately and accepts input
 * while the rest is loading.
 */
export function Palette(input: FinderInput) {
  const { t } = useText()
  const [query, setQuery] = useState('')
  return (
    <PaletteDialog close={input.close} label={t('palette.label')}>
      <Suspense
        fallback={
          <FieldBox>
            <input
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              maxLength={maxQuery}
              dir="auto"
              aria-label={t('palette.label')}
              placeholder={t('palette.placeholder')}
              className={fieldLook}
            />
          </FieldBox>
        }
      >
        <LaterTexts part="panels">
          <Finder {...input} query={query} onQuery={setQuery} />
        </LaterTexts>
      </Suspense>
    </PaletteDialog>
  )
}

function PaletteDialog({ close, label, children }: { close: () => void; label: string; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    // The browser focuses the first focusable element, which is the box around the field.
    dialog?.querySelector('input')?.focus()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way and the browser's own
    <dialog
      ref={ref}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => event.target === ref.current && close()}
      className="mx-auto mt-[12dvh] w-[min(38rem,calc(100vw-1.5rem))] overflow-hidden rounded-dock border border-line-strong bg-overlay p-0 text-ink shadow-float"
    >
      {children}
    </dialog>
  )
}
