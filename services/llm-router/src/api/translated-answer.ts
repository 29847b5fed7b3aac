import type { PromptToolCall, Usage } from '@parley/contracts'
import type { Finish, Prompt, ProviderCall, ProviderEvent } from '../adapters/adapter.ts'
import { openModel } from '../completion/open-answer.ts'
import { createUsageTally } from '../completion/usage-tally.ts'
import type { AnswerCredits, ApiAnswer, AskOptions } from './api-answer.ts'
import type { AnswerWriter, CompleteAnswer } from './dialects/answer-writer.ts'

/** A call in the provider's dialect, and a writer for the caller's. */
export interface Translation {
  readonly call: ProviderCall
  readonly prompt: Prompt
  readonly writer: AnswerWriter
  readonly isStream: boolean
}

/**
 * Makes exactly one provider call and waits for the first piece of its answer, or for all of it if it is not streamed.
 * @throws ProviderFailure when there is none
 */
export async function translatedAnswer(
  { call, prompt, writer, isStream }: Translation,
  { deadline, idleMs, signal }: AskOptions,
): Promise<ApiAnswer> {
  // A program gets an empty answer with its finish reason, as it gets one that is relayed.
  const { opening, attempt } = await openModel(call, { prompt, signal, deadline, acceptsEmpty: true })
  const tally = createUsageTally(prompt)
  const texts: string[] = []
  const reasoning: string[] = []
  const calls: PromptToolCall[] = []
  let finish = 'stop' as Finish
  let cachedTokens = 0
  const take = (events: readonly ProviderEvent[]): string => {
    let written = ''
    for (const event of events) {
      tally.add(event)
      if (event.type === 'text') texts.push(event.text)
      if (event.type === 'reasoning') reasoning.push(event.text)
      if (event.type === 'tool') calls.push(event.call)
      if (event.type === 'finish') finish = event.reason
      if (event.type === 'usage') cachedTokens = event.cachedTokens ?? cachedTokens
      if (isStream) written += writer.add(event)
    }
    return written
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(writer.open() + take(opening))
      for (;;) {
        const events = await attempt.next(idleMs, 'idle')
        if (events === undefined) return
        const written = take(events)
        if (written !== '') yield Buffer.from(written)
      }
    } finally {
      attempt.cancel()
    }
  }
  const complete = (usage: Usage, credits?: AnswerCredits): CompleteAnswer => ({
    ...{ text: texts.join(''), reasoning: reasoning.join(''), calls, finish, usage, credits },
    // An estimated prompt may be shorter than what was read from the cache.
    cachedTokens: Math.min(cachedTokens, usage.inputTokens),
  })
  if (!isStream) {
    try {
      take(opening)
      for (let events = await attempt.next(idleMs, 'idle'); events !== undefined; ) {
        take(events)
        events = await attempt.next(idleMs, 'idle')
      }
    } finally {
      attempt.cancel()
    }
  }
  return {
    pieces: isStream ? pieces() : nothing(),
    closing: (usage, credits) =>
      Buffer.from(isStream ? writer.close(complete(usage, credits)) : JSON.stringify(writer.whole(complete(usage)))),
    id: () => writer.id,
    hasOutput: () => texts.length + reasoning.length + calls.length > 0,
    usage: (isComplete) => tally.total(isComplete),
    cancel: () => attempt.cancel(),
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
