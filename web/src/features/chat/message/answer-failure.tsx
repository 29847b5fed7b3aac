import { CircleAlert } from 'lucide-react'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { copyText } from '../../../shared/copy-text.ts'
import { inSequence, useText } from '../../../shared/i18n/index.ts'
import type { Failure } from '../thread/state/failure.ts'
import type { AnswerProps } from './answer-props.ts'
import { chargeText, useFailureText } from './failure-text.ts'

interface Props extends Pick<AnswerProps, 'message' | 'guest'> {
  readonly failure: Failure
}

/** Why an answer broke off or failed, and its cost. */
export function AnswerFailure({ message, failure, guest }: Props) {
  const { t } = useText()
  const partial = message.content !== ''
  const reason = useFailureText(failure)
  const { requestId } = failure
  return (
    <div className="mt-2">
      {partial ? (
        <p className="italic text-ink-2">{t('chat.message.interrupted')}</p>
      ) : (
        <p className="leading-[1.65]">{t('chat.failure.apology')}</p>
      )}
      <p className="mt-1.5 flex gap-2 text-sm text-ink-2">
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" />
        <span>
          {inSequence(
            reason,
            chargeText(t, failure, message.credits, guest),
            failure.retryAfter ? t('chat.failure.retryAfter', { seconds: failure.retryAfter }) : '',
          )}
        </span>
        {requestId && (
          <CopyButton
            copy={() => copyText(requestId)}
            label={t('chat.failure.requestId', { id: requestId })}
            size="small"
            className="-mt-1.5"
          />
        )}
      </p>
    </div>
  )
}
