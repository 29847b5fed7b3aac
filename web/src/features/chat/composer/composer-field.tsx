import { type ClipboardEvent, type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { isComposing } from '../../../shared/keyboard/index.ts'
import { prepareMarkdown } from '../../../shared/message/answer-text.tsx'
import type { SlashMenuState } from './commands/use-slash-menu.ts'
import type { ComposerDrafts } from './composer-drafts.ts'
import { recall } from './earlier-prompts.ts'
import { longPaste, pastedFiles } from './pasted-text.ts'
import { useAutosize } from './use-autosize.ts'

interface Props {
  readonly ref: Ref<HTMLTextAreaElement>
  readonly text: string
  readonly placeholder: string
  readonly menu: SlashMenuState
  readonly onEdit: (next: (now: string) => string) => void
  /** The pasted text is too long for the field. */
  readonly onPasted: (text: string) => void
  readonly onSend: () => void
  readonly onEditLast: () => boolean
  readonly prompts: ComposerDrafts['prompts']
}

/** The text area: Enter sends and Shift+Enter breaks the line, except during IME composition. */
export function ComposerField({ ref, text, placeholder, menu, onEdit, onPasted, onSend, onEditLast, prompts }: Props) {
  const { t } = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement)
  useAutosize(field, text)
  /** Pasting with Shift keeps the text in the field. */
  const shifted = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    shifted.current = event.shiftKey
    if (isComposing(event.nativeEvent) || menu.onKeyDown(event)) return
    if (event.key === 'ArrowUp' && text === '' && !event.altKey && onEditLast()) return event.preventDefault()
    const recalled = recall(prompts.read, text, event)
    if (recalled !== null) {
      event.preventDefault()
      onEdit(() => recalled)
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    onSend()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain')
    if (pastedFiles(event.clipboardData).length > 0 || pasted.length <= longPaste || shifted.current) return
    event.preventDefault()
    onPasted(pasted)
  }
  return (
    <textarea
      ref={field}
      value={text}
      onChange={(event) => {
        // Needed for the answer; loading it now keeps it out of the initial load.
        void prepareMarkdown()
        // Pasted text must not open the menu.
        if (/Paste|Drop/.test((event.nativeEvent as InputEvent).inputType)) menu.close(event.target.value)
        onEdit(() => event.target.value)
      }}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        shifted.current = event.shiftKey
      }}
      onPaste={onPaste}
      rows={1}
      dir="auto"
      enterKeyHint="send"
      aria-label={t('chat.composer.label')}
      aria-describedby="composer-note"
      aria-controls={menu.open ? 'composer-commands' : undefined}
      aria-activedescendant={menu.open ? `composer-commands-${menu.active}` : undefined}
      placeholder={placeholder}
      className="field-sizing-content block max-h-[min(15rem,40dvh)] min-h-12 short:max-h-16 w-full resize-none overflow-y-auto bg-transparent px-4 pt-3.5 pb-1 text-base leading-6 outline-none placeholder:text-ink-3 pointer-coarse:text-[1rem]"
    />
  )
}
