import type { CompletionLine, Usage } from '@parley/contracts'
import type { Finish, ProviderEvent } from '../adapters/adapter.ts'
import type { Asked } from './ask-models.ts'
import { interruptedText, type ProviderFailure, readFailure } from './failure.ts'
import type { OpenAnswer } from './open-answer.ts'
import { createUsageTally } from './usage-tally.ts'

/** How an answer is read to its end. */
export interface SendAnswerOptions {
  /** Maximum milliseconds between two pieces. */
  readonly idleMs: number
  /** Keeps the prompt of an answer that called tools. Returns the fields about it for the end line. */
  readonly keep: () => Pick<Extract<CompletionLine, { type: 'end' }>, 'kept' | 'keptAt'>
  /** Called once with the usage when the call is over, before the last line, after which the next call may follow at once. */
  readonly onEnd: (usage: Usage) => Promise<void>
}

/**
 * Writes the lines of an answer from `start` to `end` or `error`, in the batches in which events arrived. Stops when the reader is gone. The
 * provider's call is over when it resolves or rejects. Not a generator, because each nested generator adds cost per token.
 * @param write applies backpressure: resolves once a slow reader can take more, to false when the reader is gone
 */
export async function sendAnswer(
  { model, answer: { attempt, opening, prompt } }: Asked<OpenAnswer>,
  { idleMs, keep, onEnd }: SendAnswerOptions,
  write: (lines: readonly CompletionLine[]) => Promise<boolean>,
): Promise<void> {
  const tally = createUsageTally(prompt)
  let finishReason = 'stop' as Finish
  let ended: Promise<Usage> | undefined
  const end = (isComplete: boolean): Promise<Usage> => {
    ended ??= tally.total(isComplete).then(async (usage) => {
      await onEnd(usage)
      return usage
    })
    return ended
  }
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
    if (!(await write([{ type: 'start', model: id, provider, creditsPerMessage }, ...take(opening)]))) return
    for (;;) {
      const events = await attempt.next(idleMs, 'idle')
      if (events === undefined) break
      const lines = take(events)
      if (lines.length > 0 && !(await write(lines))) return
    }
    const usage = await end(true)
    // A chat shows a filtered answer as far as it came.
    const told = finishReason === 'content_filter' ? 'stop' : finishReason
    await write([{ type: 'end', finishReason: told, usage, ...(told === 'tool_calls' && keep()) }])
  } catch (error) {
    await write([errorLine(readFailure(error), await end(false))])
  } finally {
    attempt.cancel()
    await end(false)
  }
}

const errorLine = (
  failure: ProviderFailure,
  usage: Extract<CompletionLine, { type: 'error' }>['usage'],
): CompletionLine => ({ type: 'error', code: failure.code, error: interruptedText(failure), usage })
