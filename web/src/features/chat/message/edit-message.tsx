import { maxMessageLength } from '@parley/contracts/constants'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { isComposing } from '../../../shared/keyboard/index.ts'
import { Button } from '../../../shared/ui/index.ts'

interface Props {
  readonly before: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

/** Edits a question in place: Enter sends, Shift+Enter breaks the line, as in the composer; Escape cancels. */
export function EditMessage({ before, text, onChange, onSave, onCancel }: Props) {
  const { t } = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  const ready = text.trim() !== '' && text !== before && text.length <= maxMessageLength
  useEffect(() => {
    const area = field.current
    const opener = document.activeElement
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
    return () => {
      // If the edit was started by the button, the focus returns to it.
      const isLost = document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (ready) onSave()
    }
  }
  return (
    <div
      data-opened-by={t('thread.edit.label')}
      className="mb-3 w-full rounded-[16px] border border-line-strong bg-bubble p-2"
    >
      <textarea
        ref={field}
        dir="auto"
        aria-label={t('thread.edit.label')}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content block max-h-[50dvh] min-h-16 w-full resize-none bg-transparent px-2 py-1.5 outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2 px-1 pb-1">
        <p className="me-auto ps-1 text-2xs text-ink-3 pointer-coarse:hidden">{t('thread.edit.hint')}</p>
        <Button size="small" onClick={onCancel}>
          {t('shared.cancel')}
        </Button>
        <Button size="small" look="primary" disabled={!ready} onClick={onSave}>
          {t('thread.edit.save')}
        </Button>
      </div>
    </div>
  )
}
