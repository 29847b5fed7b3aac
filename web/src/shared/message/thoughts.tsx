import { ChevronRight } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { useKeptState } from '../kept-state.ts'
import { PlainParts } from '../markdown/plain-parts.tsx'
import { useThoughtsShown } from './use-thoughts-shown.ts'

interface Props {
  readonly reasoning: string
  /** Duration of the reasoning; null while it is running, or if it was not measured. */
  readonly thinkingMs: number | null
  readonly thinking: boolean
}

/** The model's reasoning: open while it runs, folded once the answer starts, unless the user has chosen. Rendered only while it is open. */
export function Thoughts({ reasoning, thinkingMs, thinking }: Props) {
  const { t } = useText()
  const [chosen, choose] = useKeptState<boolean | null>('thoughts', null)
  const open = chosen ?? thinking
  const wanted = useThoughtsShown()
  if (reasoning === '' || !wanted) return null
  const seconds = Math.max(1, Math.round((thinkingMs ?? 0) / 1000))
  const settled = thinkingMs === null ? t('chat.message.thoughtUnknown') : t('chat.message.thought', { seconds })
  return (
    <details
      className="group mb-3 text-ink-2"
      open={open}
      onToggle={({ currentTarget: { open: now } }) => now !== open && choose(now)}
    >
      <summary className="target inline-flex list-none items-center gap-2 rounded-row text-[0.84375rem] text-ink-3 hover:text-ink-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.75 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90" />
        <span className={thinking ? 'animate-pulse motion-reduce:animate-none' : ''}>
          {thinking ? t('chat.message.thinking') : settled}
        </span>
      </summary>
      {open && <Text reasoning={reasoning} growing={thinking} />}
    </details>
  )
}

/** Distance from the end in pixels within which growing reasoning is followed. */
const nearEnd = 48

function Text({ reasoning, growing }: { reasoning: string; growing: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what grows is the text
  useLayoutEffect(() => {
    if (growing && follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [reasoning, growing])
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, clientHeight, scrollTop } }) => {
        follows.current = scrollHeight - clientHeight - scrollTop <= nearEnd
      }}
      className="mt-2 max-h-60 overflow-y-auto border-s-2 border-line ps-4 text-sm leading-relaxed outline-offset-[-2px]"
    >
      <PlainParts text={reasoning} />
    </div>
  )
}
