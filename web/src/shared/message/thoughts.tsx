import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../i18n/index.ts'
import { PlainParts } from '../markdown/plain-parts.tsx'
import { useThoughtsShown } from './use-thoughts-shown.ts'

interface Props {
  readonly reasoning: string
  /** How long it thought; null while it still does, or when nobody measured. */
  readonly thinkingMs: number | null
  readonly thinking: boolean
}

/** What the model thought before it answered, folded; it is drawn only while it is open, however long it grows. */
export function Thoughts({ reasoning, thinkingMs, thinking }: Props) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const wanted = useThoughtsShown()
  if (reasoning === '' || !wanted) return null
  const seconds = Math.max(1, Math.round((thinkingMs ?? 0) / 1000))
  const settled = thinkingMs === null ? t('chat.message.thoughtUnknown') : t('chat.message.thought', { seconds })
  return (
    <details className="group mb-3 text-ink-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="target inline-flex list-none items-center gap-2 rounded-row text-[0.84375rem] text-ink-3 hover:text-ink-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.75 transition-transform group-open:rotate-90 rtl:-scale-x-100"
          strokeWidth={1.6}
        />
        <span className={thinking ? 'animate-pulse motion-reduce:animate-none' : ''}>
          {thinking ? t('chat.message.thinking') : settled}
        </span>
      </summary>
      {open && (
        <PlainParts
          text={reasoning}
          className="mt-2 max-h-96 overflow-y-auto border-s-2 border-line ps-4 text-sm leading-relaxed"
        />
      )}
    </details>
  )
}
