import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { AnswerText } from '../../../shared/message/answer-text.tsx'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import type { modelOf } from './model-values.ts'

/** Timeout in milliseconds for the provider's response. */
const patienceMs = 60_000

interface Outcome {
  readonly isAnswered: boolean
  readonly text: string
  /** The model's response, as Markdown. */
  readonly answer?: string | undefined
}

/** The model in the form, or a registered model with a system prompt to try. */
type TestBody =
  | { readonly model: ReturnType<typeof modelOf> }
  | { readonly id: string; readonly trial: { readonly systemPrompt: string; readonly question: string } }

/** Calls a model once; `outcome` is the response or the error. */
export function useModelTest() {
  const { t, locale } = useText()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const test = async (body: TestBody) => {
    setBusy(true)
    setOutcome(null)
    try {
      const { ok, latencyMs, text, error, status } = await request(calls.testModel, { body, timeoutMs: patienceMs })
      const latency = new Intl.NumberFormat(locale).format(latencyMs)
      setOutcome({
        isAnswered: ok,
        text: ok
          ? t('registry.test.ok', { latency })
          : t('registry.test.failed', {
              latency,
              error: [status, error].filter((part) => part !== undefined).join(' '),
            }),
        answer: ok ? text : undefined,
      })
    } catch (error) {
      setOutcome({ isAnswered: false, text: failureText(error, t('registry.test.refused'), t) })
    } finally {
      setBusy(false)
    }
  }
  return { test, busy, outcome }
}

export function TestOutcome({ outcome, className }: { outcome: Outcome | null; className: string }) {
  const Icon = outcome?.isAnswered ? CircleCheck : CircleX
  return (
    <div role="status" className={`min-w-0 text-sm wrap-anywhere ${className}`}>
      {outcome && (
        <p className={outcome.isAnswered ? 'flex gap-2 text-ok' : 'flex gap-2 text-danger'}>
          <Icon className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 whitespace-pre-wrap">{outcome.text}</span>
        </p>
      )}
      {outcome?.answer && (
        // A long response scrolls in its own box, which keeps the form's buttons in view.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
        <div tabIndex={0} dir="auto" className="mt-2 max-h-[min(14rem,30dvh)] overflow-y-auto ps-6 text-ink-2">
          <AnswerText text={outcome.answer} growing={false} />
        </div>
      )}
    </div>
  )
}
