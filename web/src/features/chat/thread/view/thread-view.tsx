import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useStore } from 'zustand'
import { useText } from '../../../../shared/i18n/index.ts'
import { RowContext } from '../../../../shared/kept-state.ts'
import { useReading } from '../../../../shared/preferences/index.ts'
import { classNames } from '../../../../shared/ui/index.ts'
import { AnswerMessage } from '../../message/answer-message.tsx'
import { createReader, ReaderContext } from '../../message/read-aloud.ts'
import { UserMessage } from '../../message/user-message.tsx'
import type { ChatSession } from '../session/chat-session.ts'
import type { ThreadMessage } from '../state/thread-message.ts'
import { FollowUps } from './follow-ups.tsx'
import { DelayContext, useHeardDelay } from './heard-delay.ts'
import { JumpButton } from './jump-button.tsx'
import { PrintSheet } from './print-sheet.tsx'
import { QuoteButton } from './quote-button.tsx'
import { useRecentTurns } from './recent-turns.ts'
import { returnEdit } from './return-edit.ts'
import { useJumpTo } from './use-jump-to.ts'
import { useRestoredFocus } from './use-restored-focus.ts'
import { useStickToBottom } from './use-stick-to-bottom.ts'

interface Props {
  readonly session: ChatSession
  readonly guest: boolean
}

interface ThreadProps extends Props {
  /** Inserts a quotation into the composer. */
  readonly onQuote: (text: string) => void
  /** Inserts a suggestion into the composer. */
  readonly onSuggestion: (text: string) => void
}

/** Distance in pixels from the first and the last message at which more are loaded. */
const moreAt = 800

/**
 * The messages of a chat, virtualised. The recent turns are outside of the virtual list: the last answer grows, and the list would shift the
 * view for every line while the user scrolls; its question is held at the top meanwhile.
 */
export function ThreadView({ session, guest, onQuote, onSuggestion }: ThreadProps) {
  const { t } = useText()
  const messages = useStore(session.store, (state) => state.messages)
  const chatId = useStore(session.store, (state) => state.chatId)
  const prepended = useStore(session.store, (state) => state.prepended)
  const unfinished = useStore(session.store, (state) => state.hasNewer)
  const { scroller, content, end, stuck, toBottom, holdQuestion, unstick } = useStickToBottom(unfinished)
  const list = useRef<VirtualizerHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  useRestoredFocus(session, box)
  useReturnedEdit(session)
  const saving = messages.findLast((message) => message.state === 'saving')?.key
  const follows = useReading((state) => state.follow)
  const [asked, setAsked] = useState<string>()
  // The user's own message moves to the top, with room for its answer below, or scrolls to the end.
  if (saving !== undefined && saving !== asked) setAsked(saving)
  useLayoutEffect(() => {
    if (asked !== undefined) follows === 'question' ? holdQuestion() : toBottom()
  }, [asked, follows, holdQuestion, toBottom])
  useLoadMore(session, scroller)
  const { rows, turns } = useRecentTurns(messages, { unfinished, stuck })
  const latest = turns.at(-1)
  const last = latest?.messages.at(-1)
  const answer = last?.role === 'assistant' ? last : undefined
  const isHeld = answer !== undefined && follows === 'question' && latest?.key === asked
  const { isPlaced, onMeasured } = usePlacement(rows.length === 0)
  const shown = useJumpTo(session, { scroller, list, rows, unstick })
  const draw = useCallback(
    (message: ThreadMessage, index: number) => (
      <Row
        key={message.key}
        message={message}
        before={messages[index - 1]}
        outstanding={shown === message.key}
        {...{ session, guest }}
      />
    ),
    [messages, session, guest, shown],
  )
  return (
    <ThreadTools chatId={chatId}>
      <div ref={box} className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={t('chat.thread.label')}
          className="relative h-full overflow-y-auto overscroll-contain px-4 [container-type:size] pt-(--inset-top) pb-2 outline-offset-[-2px] [--inset-top:1.25rem] [overflow-anchor:none] md:px-6 md:[--inset-top:1.75rem]"
        >
          <div ref={content} className={isPlaced ? undefined : 'opacity-0'}>
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              data={rows}
              shift={prepended}
              bufferSize={600}
              startMargin={28}
              onResize={onMeasured}
            >
              {draw}
            </Virtualizer>
            {turns.map((turn) => (
              <div
                key={turn.key}
                ref={turn === latest ? end : undefined}
                className={isHeld && turn === latest ? 'min-h-[100cqh]' : undefined}
              >
                {turn.messages.map((message, nth) => draw(message, turn.start + nth))}
                {turn === latest && answer && chatId !== null && !guest && (
                  <FollowUps chatId={chatId} answer={answer} onPick={onSuggestion} />
                )}
              </div>
            ))}
          </div>
        </div>
        <OlderNote session={session} />
        <QuoteButton scroller={scroller} onQuote={onQuote} />
        {!stuck && <JumpButton session={session} onJump={unfinished ? () => void session.showLatest() : toBottom} />}
      </div>
      <ArchivedNote session={session} />
      <PrintSheet session={session} />
    </ThreadTools>
  )
}

/** The list measures its window, then its rows, each in a frame of its own; until they are `isPlaced`, what is below them would jump. */
function usePlacement(isEmpty: boolean) {
  const [measured, setMeasured] = useState(isEmpty ? 2 : 0)
  useEffect(() => {
    // Whatever happens, a thread is not hidden for long.
    const timer = setTimeout(() => setMeasured(2), 200)
    return () => clearTimeout(timer)
  }, [])
  const onMeasured = useCallback(() => setMeasured((count) => Math.min(count + 1, 2)), [])
  return { isPlaced: measured === 2, onMeasured }
}

/** Tools shared by the rows of a thread. */
function ThreadTools({ chatId, children }: { chatId: string | null; children: ReactNode }) {
  const [reader] = useState(() => createReader(window))
  const delay = useHeardDelay(chatId)
  // After leaving the chat there would be no button to stop the voice.
  useEffect(() => () => reader?.stop(), [reader])
  return (
    <ReaderContext value={reader}>
      <DelayContext value={delay}>{children}</DelayContext>
    </ReaderContext>
  )
}

interface RowProps extends Props {
  readonly message: ThreadMessage
  readonly before: ThreadMessage | undefined
  /** Whether it is highlighted as the scroll target. */
  readonly outstanding: boolean
}

const Row = memo(function Row({ message, before, outstanding, session, guest }: RowProps) {
  return (
    <div
      data-row={message.key}
      tabIndex={-1}
      className={classNames(
        'mx-auto max-w-measure rounded-card outline-none transition-shadow',
        // Not below, where the next message begins.
        outstanding && 'bg-brand-weak shadow-[0_-4px_0_4px_var(--brand-weak)]',
      )}
    >
      <RowContext value={message.key}>
        {message.role === 'user' ? (
          <UserMessage {...{ session, message, guest }} />
        ) : (
          <AnswerMessage
            {...{ session, message, guest }}
            question={before?.role === 'user' ? before.content : ''}
            questionId={before?.role === 'user' ? before.id : message.parentId}
          />
        )}
      </RowContext>
    </div>
  )
})

/** Returns the text of an edit to the composer when its question is no longer shown. */
function useReturnedEdit({ store }: ChatSession): void {
  useEffect(() => store.subscribe((state, before) => store.setState(returnEdit(state, before))), [store])
}

function useLoadMore(session: ChatSession, scroller: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const look = () => {
      if (box.scrollTop < moreAt) void session.loadOlder()
      if (box.scrollHeight - box.clientHeight - box.scrollTop < moreAt) void session.loadNewer()
    }
    box.addEventListener('scroll', look, { passive: true })
    // A first page shorter than the window causes no scroll event. A failed load would fail again.
    const stop = session.store.subscribe(({ loading, messages }, before) => {
      if (loading === 'none' && before.loading !== 'none' && messages !== before.messages) requestAnimationFrame(look)
    })
    return () => {
      box.removeEventListener('scroll', look)
      stop()
    }
  }, [session, scroller])
}

function ArchivedNote({ session }: { session: ChatSession }) {
  const { t } = useText()
  const archived = useStore(session.store, (state) => state.archived)
  if (!archived) return null
  return <p className="shrink-0 px-4 pb-2.5 text-center text-ink-2 text-sm">{t('chat.thread.archived')}</p>
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
