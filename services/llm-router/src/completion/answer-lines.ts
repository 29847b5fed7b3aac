import type { CompletionLine, PromptMessage } from '@parley/contracts'
import type { ProviderEvent } from '../adapters/adapter.ts'
import { interruptedText, type ProviderFailure, readFailure } from './failure.ts'
import type { OpenAnswer } from './open-answer.ts'
import { createUsageTally } from './usage-tally.ts'

/** The lines of an answer from `start` to `end` or `error`. Leaving the iteration cancels the call at the provider. */
export async function* answerLines(
  answer: OpenAnswer,
  messages: readonly PromptMessage[],
  idleMs: number,
): AsyncGenerator<CompletionLine> {
  const { model, attempt, opening } = answer
  const tally = createUsageTally(messages)
  let finishReason: 'stop' | 'length' = 'stop'
  const take = (event: ProviderEvent): CompletionLine[] => {
    tally.add(event)
    if (event.type === 'finish') finishReason = event.reason
    return event.type === 'text' || event.type === 'reasoning' ? [event] : []
  }
  try {
    yield { type: 'start', model: model.id, provider: model.provider, creditsPerMessage: model.creditsPerMessage }
    for (const event of opening) yield* take(event)
    for (;;) {
      const event = await attempt.next(idleMs, 'idle')
      if (event === undefined) break
      yield* take(event)
    }
    yield { type: 'end', finishReason, usage: await tally.total(true) }
  } catch (error) {
    yield errorLine(readFailure(error), await tally.total(false))
  } finally {
    attempt.cancel()
  }
}

const errorLine = (
  failure: ProviderFailure,
  usage: Extract<CompletionLine, { type: 'error' }>['usage'],
): CompletionLine => ({ type: 'error', code: failure.code, error: interruptedText(failure), usage })
