import { RotateCw } from 'lucide-react'
import { useContext, useState } from 'react'
import { useStore } from 'zustand'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { copyText } from '../../../shared/copy-text.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { richTextOf } from '../../../shared/rich-text.ts'
import { Button, IconButton } from '../../../shared/ui/index.ts'
import { MemoryContext } from '../memory-slot.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'
import { AnswerFailure } from './answer-failure.tsx'
import type { AnswerProps } from './answer-props.ts'
import { ContinueButton } from './continue-button.tsx'
import { fallbackTextOf } from './empty-answer.ts'
import { FeedbackReason, Thumbs } from './feedback.tsx'
import { ReadAloudButton } from './read-aloud-button.tsx'
import { Receipt } from './receipt-details.tsx'
import { RegenerateMenu } from './regenerate-menu.tsx'
import { RememberButton } from './remember-button.tsx'
import { useModelName } from './use-model-name.ts'
import { useIsBusy, useIsLast } from './use-thread-state.ts'
import { Versions } from './versions.tsx'
import { WhileIdle } from './while-idle.tsx'

type Props = Omit<AnswerProps, 'question'>

/** The footer of a finished answer: how it ended, its actions, and its cost. */
export function AnswerFooter(props: Props) {
  const { session, message, guest } = props
  const { t } = useText()
  const note = noteOf(t, message)
  return (
    <>
      {note && <p className="mt-2 text-sm italic text-ink-2">{note}</p>}
      {message.failure && <AnswerFailure message={message} failure={message.failure} guest={guest} />}
      <NextSteps session={session} message={message} guest={guest} />
      <Actions {...props} />
    </>
  )
}

/** Ways to continue an incomplete answer; an unsent message has its own. */
function NextSteps({ session, message, guest }: Pick<Props, 'session' | 'message' | 'guest'>) {
  const { t } = useText()
  const isLast = useIsLast(session, message.key)
  const isBusy = useIsBusy(session)
  if (!isLast || isBusy) return null
  const { failure } = message
  const retryable = failure && message.id !== null
  const continuable = message.content !== '' && message.id !== null && hasMore(message)
  if (!retryable && !continuable) return null
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {retryable && (
        <Button size="small" onClick={session.retry}>
          <RotateCw className="size-3.5" />
          {t(failure.code === 'lost' ? 'chat.message.reconnect' : 'chat.message.retry')}
        </Button>
      )}
      {continuable && (
        <ContinueButton
          model={message.model}
          guest={guest}
          onContinue={(model) => session.continueAnswer(message.key, model)}
        />
      )}
    </div>
  )
}

const hasMore = ({ finishReason, state, failure }: ThreadMessage): boolean =>
  failure?.code !== 'lost' && (finishReason === 'length' || finishReason === 'stopped' || state === 'interrupted')

function noteOf(t: Translate, message: ThreadMessage): string | null {
  const { state, finishReason, content, failure, attachments } = message
  if (failure) return null
  if (finishReason === 'stopped') return t('chat.message.stopped')
  if (finishReason === 'length') return t('chat.message.length')
  if (state === 'interrupted') return t('chat.message.interrupted')
  if (state !== 'complete' || content !== '' || attachments.length > 0) return null
  return fallbackTextOf(message) || t('chat.message.empty')
}

function Actions(props: Props) {
  const { session, message, guest, questionId } = props
  const reason = useStore(session.store, (state) => state.reasons[message.key])
  const [justAsked, setJustAsked] = useState(false)
  const modelName = useModelName(message.model)
  const memory = useContext(MemoryContext)
  const said = message.content !== ''
  const setReason = (text: string | undefined) =>
    session.store.setState(({ reasons: { [message.key]: _, ...others } }) => ({
      reasons: text === undefined ? others : { ...others, [message.key]: text },
    }))
  const ask = () => {
    setJustAsked(true)
    setReason(reason ?? message.feedback?.reason ?? '')
  }
  const rateable = !guest && message.id !== null && (said || message.attachments.length > 0)
  return (
    <>
      <div className="-ms-2 mt-1.5 flex min-h-8 flex-wrap items-center gap-0.5 text-ink-3">
        {said && <Copy text={message.content} />}
        {said && <ReadAloudButton id={message.key} text={message.content} />}
        <Again {...props} />
        {!guest && <RememberButton session={session} message={message} />}
        {rateable && <Thumbs message={message} onRate={session.rate} onAsk={ask} />}
        <Versions session={session} message={message} />
        {!guest && memory?.onAnswer({ used: message.memoriesUsed, unavailable: message.memoryUnavailable, questionId })}
        <Receipt message={message} guest={guest} modelName={modelName} />
      </div>
      {reason !== undefined && (
        <FeedbackReason
          message={message}
          reason={reason}
          takesFocus={justAsked}
          onChange={setReason}
          onRate={session.rate}
          onClose={() => setReason(undefined)}
        />
      )}
    </>
  )
}

/** Copies the Markdown and, for rich-text programs, its rendering. */
function Copy({ text }: { text: string }) {
  const { t } = useText()
  const copy = (button: HTMLElement) => copyText(text, richTextOf(button.closest('article') ?? button))
  return <CopyButton copy={copy} label={t('chat.message.copy')} className="size-8 text-ink-3" />
}

function Again({ session, message, guest }: Props) {
  const { t } = useText()
  const isLast = useIsLast(session, message.key)
  if (message.failure || message.id === null || (guest && !isLast)) return null
  return (
    <WhileIdle session={session}>
      {guest ? (
        <IconButton label={t('chat.message.regenerate')} onClick={session.retry} className="size-8 text-ink-3">
          <RotateCw className="size-4" />
        </IconButton>
      ) : (
        <RegenerateMenu model={message.model} onChoose={(model) => session.regenerate(message.key, model)} />
      )}
    </WhileIdle>
  )
}
