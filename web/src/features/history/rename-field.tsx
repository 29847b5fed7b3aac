import { maxTitleLength } from '@parley/contracts/constants'
import { useRef } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { isComposing } from '../../shared/keyboard/index.ts'

interface Props {
  readonly title: string
  /** Called with null to cancel. `hasMoved`: the focus is already where the user put it. */
  readonly onDone: (title: string | null, hasMoved: boolean) => void
}

/** Renames in place: Enter and blur save, Escape cancels. */
export function RenameField({ title, onDone }: Props) {
  const { t } = useText()
  const done = useRef(false)
  const finish = (text: string | null, hasMoved = false) => {
    // Enter and Escape remove the field, which causes a blur.
    if (done.current) return
    done.current = true
    const wanted = text?.trim() ?? ''
    onDone(wanted === '' || wanted === title ? null : wanted, hasMoved)
  }
  return (
    <input
      defaultValue={title}
      maxLength={maxTitleLength}
      dir="auto"
      aria-label={t('history.renameLabel')}
      // biome-ignore lint/a11y/noAutofocus: renaming was asked for
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value, event.relatedTarget !== null)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          finish(null)
        }
      }}
      className="h-full w-full min-w-0 rounded-row border border-brand bg-overlay px-2.25 text-ink outline-none"
    />
  )
}
