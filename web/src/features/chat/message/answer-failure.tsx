import { CircleAlert, RotateCw } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import type { Failure } from '../thread/failure.ts'
import type { ThreadMessage } from '../thread/thread-message.ts'
import { chargeText, failureText } from './failure-text.ts'

interface Props {
  readonly message: ThreadMessage
  readonly failure: Failure
  readonly guest: boolean
  /** Absent where trying again makes no sense. */
  readonly onRetry: (() => void) | undefined
}

/** Why an answer broke off or never came, what it cost, and the way to try again; a message that was never sent has that itself. */
export function AnswerFailure({ message, failure, guest, onRetry }: Props) {
  const { t } = useText()
  const partial = message.content !== ''
  const reason = failureText(t, failure)
  return (
    <div className="mt-2">
      {partial ? (
        <p className="italic text-ink-2">{t('chat.message.interrupted')}</p>
      ) : (
        <p className="leading-[1.65]">{t('chat.failure.apology')}</p>
      )}
      <p className="mt-1.5 flex gap-2 text-sm text-ink-2">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" strokeWidth={1.6} />
        <span>
          {reason}
          {/[.!?…]$/.test(reason) ? ' ' : '. '}
          {chargeText(t, failure, message.credits, guest)}
          {failure.retryAfter && ` ${t('chat.failure.retryAfter', { seconds: failure.retryAfter })}`}
        </span>
      </p>
      {onRetry && message.id !== null && (
        <Button size="small" className="mt-3" onClick={onRetry}>
          <RotateCw aria-hidden="true" className="size-3.5" strokeWidth={1.6} />
          {t(failure.code === 'lost' ? 'chat.message.reconnect' : 'chat.message.retry')}
        </Button>
      )}
    </div>
  )
}
