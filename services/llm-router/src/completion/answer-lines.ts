import type { CompletionLine } from '@parley/contracts'
import type { Finish, ProviderEvent } from '../adapters/adapter.ts'
import type { Asked } from './ask-models.ts'
import { interruptedText, type ProviderFailure, readFailure } from './failure.ts'
import type { OpenAnswer } from './open-answer.ts'
import { createUsageTally } from './usage-tally.ts'

/**
 * The lines of an answer from `start` to `end` or `error`, those together that came together. Leaving the iteration cancels the call at the provider.
 * @param keep keeps the prompt of an answer that called tools; false when it cannot
 */
export async function* answerLines(
  { model, answer: { attempt, opening, prompt } }: Asked<OpenAnswer>,
  idleMs: number,
  keep: () => boolean,
): AsyncGenerator<readonly CompletionLine[]> {
  const tally = createUsageTally(prompt)
  let finishReason = 'stop' as Finish
  const take = (events: readonly ProviderEvent[]): CompletionLine[] => {
    const lines: CompletionLine[] = []
    for (const event of events) {
      tally.add(event)
      if (event.type === 'finish') finishReason = event.reason
      if (event.type === 'text' || event.type === 'reasoning' || event.type === 'tool') lines.push(event)
    }
    return lines
  }
  try {
    const { id, provider, creditsPerMessage } = model
    yield [{ type: 'start', model: id, provider, creditsPerMessage }, ...take(opening)]
    for (;;) {
      const events = await attempt.next(idleMs, 'idle')
      if (events === undefined) break
      const lines = take(events)
      if (lines.length > 0) yield lines
    }
    const usage = await tally.total(true)
    const isKept = finishReason === 'tool_calls' && keep()
    yield [{ type: 'end', finishReason, usage, ...(isKept && { kept: true }) }]
  } catch (error) {
    yield [errorLine(readFailure(error), await tally.total(false))]
  } finally {
    attempt.cancel()
  }
}

const errorLine = (
  failure: ProviderFailure,
  usage: Extract<CompletionLine, { type: 'error' }>['usage'],
): CompletionLine => ({ type: 'error', code: failure.code, error: interruptedText(failure), usage })
