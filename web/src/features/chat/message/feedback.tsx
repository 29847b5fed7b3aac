import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { isComposing } from '../../../shared/keyboard/index.ts'
import { Button, IconButton } from '../../../shared/ui/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'

interface ThumbsProps {
  readonly message: ThreadMessage
  readonly onRate: ChatSession['rate']
  /** Opens the field for a reason, below the row of buttons. */
  readonly onAsk: () => void
}

/** Rates an answer; pressing again withdraws the rating. */
export function Thumbs({ message: { key, feedback }, onRate, onAsk }: ThumbsProps) {
  const { t } = useText()
  return thumbs.map(([rating, Icon]) => {
    const isPressed = feedback?.rating === rating
    const rate = () => {
      void onRate(key, isPressed ? null : rating)
      if (!isPressed) onAsk()
    }
    return (
      <IconButton
        key={rating}
        label={t(`thread.feedback.${rating}`)}
        aria-pressed={isPressed}
        onClick={rate}
        className="size-8 text-ink-3"
      >
        <Icon className="size-4" />
      </IconButton>
    )
  })
}

const thumbs = [
  ['up', ThumbsUp],
  ['down', ThumbsDown],
] as const

const maxReason = 1_000

interface ReasonProps {
  readonly message: ThreadMessage
  readonly reason: string
  /** It has just been asked for; otherwise its row was scrolled into view again. */
  readonly takesFocus: boolean
  readonly onChange: (reason: string) => void
  readonly onRate: ChatSession['rate']
  readonly onClose: () => void
}

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
    if (reason.trim() !== '') void onRate(key, feedback.rating, reason.trim())
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
