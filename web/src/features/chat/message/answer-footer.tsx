import { RotateCw } from 'lucide-react'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import type { ThreadMessage } from '../thread/thread-message.ts'
import { AnswerFailure } from './answer-failure.tsx'
import { CopyButton } from './copy-button.tsx'
import { receiptOf } from './receipt.ts'

interface Props {
  readonly message: ThreadMessage
  readonly guest: boolean
  readonly onRetry: (() => void) | undefined
}

/** What stands below an answer that has ended: how it ended, what can be done with it, what it cost. */
export function AnswerFooter({ message, guest, onRetry }: Props) {
  const { t } = useText()
  const note = noteOf(t, message)
  return (
    <>
      {note && <p className="mt-2 text-sm italic text-ink-2">{note}</p>}
      {message.failure && <AnswerFailure message={message} failure={message.failure} guest={guest} onRetry={onRetry} />}
      <Actions message={message} guest={guest} onRetry={message.failure ? undefined : onRetry} />
    </>
  )
}

function noteOf(t: Translate, { state, finishReason, content, failure }: ThreadMessage): string | null {
  if (failure) return null
  if (finishReason === 'stopped') return t('chat.message.stopped')
  if (finishReason === 'length') return t('chat.message.length')
  if (state === 'interrupted') return t('chat.message.interrupted')
  return state === 'complete' && content === '' ? t('chat.message.empty') : null
}

function Actions({ message, guest, onRetry }: Props) {
  const { t, locale } = useText()
  const receipt = receiptOf(t, locale, message, guest)
  if (message.content === '' && !onRetry) return null
  return (
    <div className="-ms-2 mt-1.5 flex h-8 items-center gap-0.5 text-ink-3">
      {message.content !== '' && (
        <CopyButton text={message.content} label={t('chat.message.copy')} className="size-8 text-ink-3" />
      )}
      {onRetry && (
        <IconButton label={t('chat.message.regenerate')} onClick={onRetry} className="size-8 text-ink-3">
          <RotateCw aria-hidden="true" className="size-4" strokeWidth={1.6} />
        </IconButton>
      )}
      <span className="ms-auto text-2xs text-ink-3 tabular-nums opacity-0 transition-opacity group-focus-within/answer:opacity-100 group-hover/answer:opacity-100 pointer-coarse:opacity-100">
        {receipt}
      </span>
    </div>
  )
}
