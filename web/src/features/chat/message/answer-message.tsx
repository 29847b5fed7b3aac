import { memo } from 'react'
import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { AnswerBody } from '../../../shared/message/answer-body.tsx'
import { useThoughtsShown } from '../../../shared/message/use-thoughts-shown.ts'
import type { LiveAnswer } from '../thread/state/live-answer.ts'
import { withLive } from '../thread/state/thread-message.ts'
import { AnswerFooter } from './answer-footer.tsx'
import type { AnswerProps } from './answer-props.ts'
import { Fallback } from './fallback.tsx'
import { ImagePlaceholder } from './image-placeholder.tsx'
import { WaitingNote } from './waiting-note.tsx'
import { waitsSilently } from './waits-silently.ts'

/** An answer, running or finished. A running one is the only row that re-renders with every frame of a stream. */
export const AnswerMessage = memo(function AnswerMessage(props: AnswerProps) {
  const { session, message: row } = props
  const { t } = useText()
  const live = useStore(session.store, (state) => (state.live?.key === row.key ? state.live : null))
  const message = live ? withLive(row, live) : row
  return (
    <article aria-label={t('chat.thread.answer')} aria-busy={live ? true : undefined} className="group/answer pb-7.5">
      <h2 className="sr-only">{t('chat.thread.answer')}</h2>
      {message.insteadOf !== null && !props.guest && <Fallback asked={message.insteadOf} model={message.model} />}
      <AnswerBody
        answer={message}
        question={props.question}
        thinking={live?.phase === 'thinking'}
        growing={live !== null}
      />
      {live ? (
        <Progress live={live} model={message.model} onStop={session.stop} />
      ) : (
        <AnswerFooter {...props} message={message} />
      )}
    </article>
  )
})

function Progress({ live, model, onStop }: { live: LiveAnswer; model: string | null; onStop: () => void }) {
  const { t } = useText()
  const thoughtsShown = useThoughtsShown()
  if (live.source === 'image' && live.attachments.length === 0) return <ImagePlaceholder />
  // A stopped answer without text gets no more events.
  const isStopped = live.stopping && live.content === ''
  // The message has not been sent, and reports that itself.
  if (live.connection === 'offline') return null
  return (
    <>
      {!isStopped && waitsSilently(live, thoughtsShown) && (
        // Pulses only after a while, so that its frames are not drawn while the first token is on its way.
        <span
          role="img"
          aria-label={t('chat.message.waiting')}
          className="inline-block h-4.25 w-2 animate-pulse [animation-delay:400ms] rounded-[2px] bg-brand align-middle motion-reduce:animate-none"
        />
      )}
      <WaitingNote live={live} model={model} onStop={onStop} />
      {live.connection === 'reconnecting' && <p className="mt-2 text-sm text-warn">{t('chat.message.reconnecting')}</p>}
      {live.stopping && (
        <p className="mt-2 text-sm text-ink-3">{t(isStopped ? 'chat.message.stopped' : 'chat.message.stopping')}</p>
      )}
    </>
  )
}
