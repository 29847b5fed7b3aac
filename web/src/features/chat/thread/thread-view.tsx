import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'react'
import { Virtualizer } from 'virtua'
import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { AnswerMessage } from '../message/answer-message.tsx'
import { loadMarkdown } from '../message/answer-text.tsx'
import { UserMessage } from '../message/user-message.tsx'
import type { ChatSession } from './chat-session.ts'
import type { ThreadMessage } from './thread-message.ts'
import { useStickToBottom } from './use-stick-to-bottom.ts'

interface Props {
  readonly session: ChatSession
  readonly guest: boolean
  readonly onResend: (key: string) => void
  readonly onRetry: () => void
}

/** Pixels from the top at which older messages are asked for. */
const olderAt = 800

/**
 * The messages of a chat. Only those near the view are in the document, however many there are. The last answer stands outside of that: it grows,
 * and the virtual list would shift the view for every line of it while a person scrolls.
 */
export function ThreadView({ session, guest, onResend, onRetry }: Props) {
  const { t } = useText()
  const messages = useStore(session.store, (state) => state.messages)
  const prepended = useStore(session.store, (state) => state.prepended)
  const running = useStore(session.store, (state) => state.live !== null)
  const { scroller, content, stuck, toBottom } = useStickToBottom()
  useEffect(() => void loadMarkdown(), [])
  const lastSent = messages.findLast((message) => message.role === 'user')?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message of one's own is what leads to the end
  useLayoutEffect(toBottom, [lastSent, toBottom])
  useLoadOlder(session, scroller)
  const last = messages.at(-1)
  const tail = last?.role === 'assistant' ? last : null
  const rows = useMemo(() => (tail ? messages.slice(0, -1) : messages), [messages, tail])
  const draw = useCallback(
    (message: ThreadMessage) => (
      <div key={message.key} className="mx-auto max-w-measure">
        {message.role === 'user' ? (
          <UserMessage message={message} onResend={onResend} />
        ) : (
          <AnswerMessage session={session} message={message} guest={guest} onRetry={undefined} />
        )}
      </div>
    ),
    [session, guest, onResend],
  )
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('chat.thread.label')}
        className="h-full overflow-y-auto overscroll-contain px-4 pt-5 pb-2 outline-offset-[-2px] [overflow-anchor:none] md:px-6 md:pt-7"
      >
        <div ref={content}>
          <Virtualizer scrollRef={scroller} data={rows} shift={prepended} bufferSize={600} startMargin={28}>
            {draw}
          </Virtualizer>
          {tail && (
            <div key={tail.key} className="mx-auto max-w-measure">
              <AnswerMessage session={session} message={tail} guest={guest} onRetry={running ? undefined : onRetry} />
            </div>
          )}
        </div>
      </div>
      <OlderNote session={session} />
      {!stuck && (
        <Button
          size="small"
          onClick={toBottom}
          className="absolute start-1/2 bottom-3 -translate-x-1/2 rounded-full bg-overlay shadow-float rtl:translate-x-1/2"
        >
          <ArrowDown aria-hidden="true" className="size-4" strokeWidth={1.6} />
          {t('chat.thread.jump')}
        </Button>
      )}
    </div>
  )
}

function useLoadOlder(session: ChatSession, scroller: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const look = () => {
      if (box.scrollTop < olderAt) void session.loadOlder()
    }
    box.addEventListener('scroll', look, { passive: true })
    // A first page that does not fill the window never scrolls.
    const stop = session.store.subscribe(({ loading }, before) => {
      if (loading === 'none' && before.loading === 'first') requestAnimationFrame(look)
    })
    return () => {
      box.removeEventListener('scroll', look)
      stop()
    }
  }, [session, scroller])
}

function OlderNote({ session }: { session: ChatSession }) {
  const { t } = useText()
  const loading = useStore(session.store, (state) => state.loading === 'older')
  if (!loading) return null
  return (
    <p className="absolute start-1/2 top-2 -translate-x-1/2 rounded-full border border-line bg-overlay px-3 py-1 text-2xs text-ink-2 rtl:translate-x-1/2">
      {t('chat.thread.loadingOlder')}
    </p>
  )
}
