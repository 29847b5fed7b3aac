import { CircleAlert, RotateCw } from 'lucide-react'
import { memo } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import type { ThreadMessage } from '../thread/thread-message.ts'

/** What the person wrote, with how far it got while that is not yet settled. */
export const UserMessage = memo(function UserMessage(props: {
  message: ThreadMessage
  onResend: (key: string) => void
}) {
  const { t } = useText()
  const { message, onResend } = props
  return (
    <article aria-label={t('chat.thread.you')} className="flex flex-col items-end pb-6.5">
      <h2 className="sr-only">{t('chat.thread.you')}</h2>
      <div
        dir="auto"
        className="max-w-[88%] whitespace-pre-wrap rounded-[16px] rounded-ee-[4px] bg-bubble px-4 py-2.5 wrap-anywhere md:max-w-[80%]"
      >
        {message.content}
      </div>
      {message.state === 'saving' && <p className="sr-only">{t('chat.message.saving')}</p>}
      {message.state === 'failed' && (
        <p className="mt-1.5 flex items-center gap-1.5 text-sm text-danger">
          <CircleAlert aria-hidden="true" className="size-4" strokeWidth={1.6} />
          {t('chat.message.failed')}
          <Button size="small" look="quiet" onClick={() => onResend(message.key)}>
            <RotateCw aria-hidden="true" className="size-3.5" strokeWidth={1.6} />
            {t('chat.message.resend')}
          </Button>
        </p>
      )}
    </article>
  )
})
