import { Square } from 'lucide-react'
import { useContext, useEffect, useState } from 'react'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { useThoughtsShown } from '../../../shared/message/use-thoughts-shown.ts'
import { Button } from '../../../shared/ui/index.ts'
import type { LiveAnswer } from '../thread/state/live-answer.ts'
import { DelayContext } from '../thread/view/heard-delay.ts'
import { type Delay, delayOf } from './delay-of.ts'
import { useModelName } from './use-model-name.ts'
import { waitOf } from './wait-of.ts'

interface Props {
  readonly live: LiveAnswer
  readonly model: string | null
  readonly onStop: () => void
}

/** Says that an answer is delayed, with the reason if known, and offers Stop. The seconds are not announced. */
export function WaitingNote({ live, model, onStop }: Props) {
  const { t } = useText()
  const now = useSeconds()
  const delay = delayOf(live, useContext(DelayContext), now)
  const wait = waitOf(live, now, useThoughtsShown())
  const name = useModelName(model) ?? t('thread.wait.model')
  const delayText = useDelayText(delay)
  const counts = delay !== null && 'seconds' in delay
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <p role="status" className={counts ? 'sr-only' : undefined}>
        {delayText ?? (wait && t(wait.text, { model: name }))}
      </p>
      {counts && (
        <p aria-hidden="true" className="tabular-nums">
          {t(delay.text, { seconds: delay.seconds })}
        </p>
      )}
      {wait && !counts && (
        <span aria-hidden="true" className="tabular-nums text-ink-3">
          {t('chat.message.receipt.seconds', { seconds: wait.seconds })}
        </span>
      )}
      {(wait ?? delay) && (
        <Button size="small" look="quiet" onClick={onStop}>
          <Square className="size-3.5" />
          {t('thread.wait.stop')}
        </Button>
      )}
    </div>
  )
}

/** The announced text of a delay, with the initial wait if there is a countdown. */
function useDelayText(delay: Delay | null): string | null {
  const { t } = useText()
  const [asked, model] = delay?.text === 'thread.delay.fallback' ? [delay.asked, delay.model] : [null, null]
  const names = { asked: useModelName(asked) ?? asked ?? '', model: useModelName(model) ?? model ?? '' }
  return delay && textOf(t, delay, names)
}

function textOf(t: Translate, delay: Delay, names: { readonly asked: string; readonly model: string }): string {
  switch (delay.text) {
    case 'thread.delay.busy':
    case 'thread.delay.failing':
      return t(delay.text, { seconds: delay.ofSeconds })
    case 'thread.delay.again':
      return t(delay.text, { attempt: delay.attempt, of: delay.of })
    case 'thread.delay.fallback':
      return t(delay.text, names)
    default:
      return delay satisfies never
  }
}

/** The current time, updated every second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
