import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { isComposing } from '../../../shared/keyboard/index.ts'
import { Button, IconButton } from '../../../shared/ui/index.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'
import type { ChatActions } from '../use-actions.ts'

interface ThumbsProps {
  readonly message: ThreadMessage
  readonly onRate: ChatActions['rate']
  /** Opens the field for a reason, below the row of buttons. */
  readonly onAsk: () => void
}

/** Rates an answer; pressing again withdraws the rating. */
export function Thumbs({ message: { key, feedback }, onRate, onAsk }: ThumbsProps) {
  const { t } = useText()
  const rate = (rating: 'up' | 'down') => () => {
    const back = feedback?.rating === rating
    onRate(key, back ? null : rating)
    if (!back) onAsk()
  }
  return (
    <>
      <IconButton
        label={t('thread.feedback.up')}
        aria-pressed={feedback?.rating === 'up'}
        onClick={rate('up')}
        className="size-8 text-ink-3"
      >
        <ThumbsUp className="size-4" />
      </IconButton>
      <IconButton
        label={t('thread.feedback.down')}
        aria-pressed={feedback?.rating === 'down'}
        onClick={rate('down')}
        className="size-8 text-ink-3"
      >
        <ThumbsDown className="size-4" />
      </IconButton>
    </>
  )
}

const maxReason = 1_000

interface ReasonProps {
  readonly message: ThreadMessage
  readonly reason: string
  /** It has just been asked for; otherwise its row was scrolled into view again. */
  readonly takesFocus: boolean
  readonly onChange: (reason: string) => void
  readonly onRate: ChatActions['rate']
  readonly onClose: () => void
}

/** An optional reason for a rating. */
export function FeedbackReason({ message, reason, takesFocus, onChange, onRate, onClose }: ReasonProps) {
  const { t } = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  const { key, feedback } = message
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  if (!feedback) return null
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') onRate(key, feedback.rating, reason.trim())
    onClose()
  }
  const question = t(feedback.rating === 'up' ? 'thread.feedback.whatGood' : 'thread.feedback.whatBad')
  return (
    <form onSubmit={save} className="mt-2 max-w-lg rounded-card border border-line p-3">
      <label className="block text-sm text-ink-2">
        {question}
        <textarea
          ref={field}
          dir="auto"
          rows={2}
          maxLength={maxReason}
          value={reason}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
            event.stopPropagation()
            onClose()
          }}
          className="field-sizing-content mt-1.5 block max-h-40 w-full resize-none rounded-row border border-field-line bg-page px-2.5 py-1.5 text-ink"
        />
      </label>
      <div className="mt-2 flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          {t('thread.feedback.skip')}
        </Button>
        <Button size="small" look="primary" type="submit">
          {t('thread.feedback.send')}
        </Button>
      </div>
    </form>
  )
}
