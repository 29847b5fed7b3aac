import { ArrowRight, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/index.ts'
import type { ThreadMessage } from '../thread/thread-message.ts'
import type { ChatActions } from '../use-actions.ts'
import { AnswerFailure } from './answer-failure.tsx'
import { fallbackTextOf } from './empty-answer.ts'
import { FeedbackReason, Thumbs } from './feedback.tsx'
import { ReadAloudButton } from './read-aloud-button.tsx'
import { Receipt } from './receipt-details.tsx'
import { RegenerateMenu } from './regenerate-menu.tsx'
import { useModelName } from './use-model-name.ts'
import { Versions } from './versions.tsx'

interface Props {
  readonly message: ThreadMessage
  readonly guest: boolean
  readonly actions: ChatActions
  /** It is the end of the thread, where a guest can try again and everybody can go on. */
  readonly last: boolean
  /** Another answer is being made. */
  readonly busy: boolean
}

/** What stands below an answer that has ended: how it ended, what can be done with it, what it cost. */
export function AnswerFooter({ message, guest, actions, last, busy }: Props) {
  const { t } = useText()
  const note = noteOf(t, message)
  return (
    <>
      {note && <p className="mt-2 text-sm italic text-ink-2">{note}</p>}
      {message.failure && <AnswerFailure message={message} failure={message.failure} guest={guest} />}
      {last && !busy && <NextSteps message={message} actions={actions} />}
      <Actions message={message} guest={guest} actions={actions} last={last} busy={busy} />
    </>
  )
}

/** What leads on from an answer that is not whole; a message that was never sent has a way of its own. */
function NextSteps({ message, actions }: Pick<Props, 'message' | 'actions'>) {
  const { t } = useText()
  const { failure } = message
  const retryable = failure && message.id !== null
  const continuable = message.content !== '' && hasMore(message)
  if (!retryable && !continuable) return null
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {retryable && (
        <Button size="small" onClick={actions.retry}>
          <RotateCw aria-hidden="true" className="size-3.5" strokeWidth={1.6} />
          {t(failure.code === 'lost' ? 'chat.message.reconnect' : 'chat.message.retry')}
        </Button>
      )}
      {continuable && (
        <Button size="small" onClick={() => actions.continueAnswer(message.key)}>
          <ArrowRight aria-hidden="true" className="size-3.5 rtl:-scale-x-100" strokeWidth={1.6} />
          {t('thread.continue')}
        </Button>
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

function Actions({ message, guest, actions, last, busy }: Props) {
  const [asking, setAsking] = useState(false)
  const modelName = useModelName(message.model)
  const said = message.content !== ''
  const rateable = !guest && message.id !== null && (said || message.attachments.length > 0)
  return (
    <>
      <div className="-ms-2 mt-1.5 flex min-h-8 flex-wrap items-center gap-0.5 text-ink-3">
        {said && <Copy text={message.content} />}
        {said && <ReadAloudButton id={message.key} text={message.content} />}
        <Again message={message} guest={guest} actions={actions} last={last} busy={busy} />
        {rateable && <Thumbs message={message} onRate={actions.rate} onAsk={() => setAsking(true)} />}
        <Versions message={message} disabled={busy} onShow={actions.showVersion} />
        <Receipt message={message} guest={guest} modelName={modelName} />
      </div>
      {asking && <FeedbackReason message={message} onRate={actions.rate} onClose={() => setAsking(false)} />}
    </>
  )
}

function Copy({ text }: { text: string }) {
  const { t } = useText()
  return <CopyButton text={text} label={t('chat.message.copy')} className="size-8 text-ink-3" />
}

function Again({ message, guest, actions, last, busy }: Props) {
  const { t } = useText()
  if (busy || message.failure || message.id === null) return null
  if (!guest)
    return <RegenerateMenu model={message.model} onChoose={(model) => actions.regenerate(message.key, model)} />
  if (!last) return null
  return (
    <IconButton label={t('chat.message.regenerate')} onClick={actions.retry} className="size-8 text-ink-3">
      <RotateCw aria-hidden="true" className="size-4" strokeWidth={1.6} />
    </IconButton>
  )
}
