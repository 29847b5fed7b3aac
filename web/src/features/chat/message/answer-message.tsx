import { memo } from 'react'
import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import type { ChatSession } from '../thread/chat-session.ts'
import type { LiveAnswer } from '../thread/live-answer.ts'
import { type ThreadMessage, withLive } from '../thread/thread-message.ts'
import { AnswerFooter } from './answer-footer.tsx'
import { AnswerText } from './answer-text.tsx'
import { Thoughts } from './thoughts.tsx'

interface Props {
  readonly session: ChatSession
  readonly message: ThreadMessage
  readonly guest: boolean
  /** Present for the last answer only, which alone can be made anew. */
  readonly onRetry: (() => void) | undefined
}

/** An answer, running or ended. A running one is the only row that draws with every frame of a stream. */
export const AnswerMessage = memo(function AnswerMessage({ session, message: row, guest, onRetry }: Props) {
  const { t } = useText()
  const live = useStore(session.store, (state) => (state.live?.key === row.key ? state.live : null))
  const message = live ? withLive(row, live) : row
  const thinking = live?.phase === 'thinking'
  return (
    <article aria-label={t('chat.thread.answer')} aria-busy={live ? true : undefined} className="group/answer pb-7.5">
      <h2 className="sr-only">{t('chat.thread.answer')}</h2>
      <Thoughts reasoning={message.reasoning} thinkingMs={message.thinkingMs} thinking={thinking} />
      {message.content !== '' && <AnswerText text={message.content} growing={live !== null} />}
      {live ? <Progress live={live} /> : <AnswerFooter message={message} guest={guest} onRetry={onRetry} />}
    </article>
  )
})

function Progress({ live }: { live: LiveAnswer }) {
  const { t } = useText()
  return (
    <>
      {live.phase === 'waiting' && live.content === '' && (
        <span
          role="img"
          aria-label={t('chat.message.waiting')}
          className="inline-block h-4.25 w-2 animate-pulse rounded-[2px] bg-brand align-middle motion-reduce:animate-none"
        />
      )}
      {live.connection === 'reconnecting' && <p className="mt-2 text-sm text-warn">{t('chat.message.reconnecting')}</p>}
      {live.stopping && <p className="mt-2 text-sm text-ink-3">{t('chat.message.stopping')}</p>}
    </>
  )
}
