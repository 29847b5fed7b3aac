import { Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { useThoughtsShown } from '../../../shared/message/use-thoughts-shown.ts'
import { Button } from '../../../shared/ui/index.ts'
import type { LiveAnswer } from '../thread/live-answer.ts'
import { useModelName } from './use-model-name.ts'
import { waitOf } from './wait-of.ts'

interface Props {
  readonly live: LiveAnswer
  /** Id of the model that is waited for. */
  readonly model: string | null
  readonly onStop: () => void
}

/** Says that an answer lets people wait, and offers to stop it. The seconds are not read out. */
export function WaitingNote({ live, model, onStop }: Props) {
  const { t } = useText()
  const now = useSeconds()
  const wait = waitOf(live, now, useThoughtsShown())
  const name = useModelName(model) ?? t('thread.wait.model')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <p role="status">{wait && t(wait.text, { model: name })}</p>
      {wait && (
        <>
          <span aria-hidden="true" className="tabular-nums text-ink-3">
            {t('chat.message.receipt.seconds', { seconds: wait.seconds })}
          </span>
          <Button size="small" look="quiet" onClick={onStop}>
            <Square aria-hidden="true" className="size-3.5" strokeWidth={1.6} />
            {t('thread.wait.stop')}
          </Button>
        </>
      )}
    </div>
  )
}

/** The time, anew each second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
