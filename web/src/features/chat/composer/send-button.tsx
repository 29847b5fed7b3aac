import { ArrowUp, Square } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { ariaKeys, useShortcutKeys } from '../../../shared/keyboard/index.ts'

interface Props {
  /** An answer is running. */
  readonly busy: boolean
  readonly stopping: boolean
  readonly ready: boolean
  readonly onStop: () => void
}

/** Sends, or stops the running answer. It is one element in both states, so that it keeps the focus. */
export function SendButton({ busy, stopping, ready, onStop }: Props) {
  const { t } = useText()
  const stop = useShortcutKeys((keys) => keys.stop)
  const label = busy ? t(stopping ? 'chat.composer.stopping' : 'chat.composer.stop') : t('chat.composer.send')
  const Icon = busy ? Square : ArrowUp
  return (
    <button
      type={busy ? 'button' : 'submit'}
      aria-label={label}
      title={label}
      aria-keyshortcuts={busy ? ariaKeys(stop, navigator.platform) : undefined}
      aria-disabled={busy ? stopping : !ready}
      // Keeps the focus in the field, and a phone's keyboard open.
      onPointerDown={(event) => event.preventDefault()}
      onClick={busy ? onStop : undefined}
      className="target ms-auto grid size-9 shrink-0 place-items-center rounded-[11px] bg-brand text-on-brand hover:brightness-105 aria-disabled:cursor-default aria-disabled:opacity-40"
    >
      <Icon className={busy ? 'size-3.5 fill-current stroke-2' : 'size-4.5 stroke-2'} />
    </button>
  )
}
