import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, PromptMessage } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Adapter, ProviderEvent, Target } from '../adapters/adapter.ts'
import { type Attempt, startAttempt } from './attempt.ts'
import { brokenOff, type ProviderFailure, readFailure, timedOut, unconfigured } from './failure.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { Timeouts } from './timeouts.ts'

/** An answer whose first piece has come: from here on there is neither retry nor fallback. */
export interface OpenAnswer {
  /** The one that answers: the model that was asked, or a fallback. */
  readonly model: Model
  /** Everything read so far, with text or reasoning among it. */
  readonly opening: readonly ProviderEvent[]
  readonly attempt: Attempt
  readonly startedAt: number
}

/** A model that may answer. */
export interface Candidate {
  readonly model: Model
  /** No fallback follows. */
  readonly isLast: boolean
}

/** Of the time that is left, what a model takes that others stand behind. */
const shareBeforeFallbacks = 2 / 3

/** What opening an answer uses. */
export interface OpenAnswerDeps {
  readonly adapterOf: (model: Model) => Adapter
  /** Undefined when the model's provider is not configured. */
  readonly targetOf: (model: Model) => Target | undefined
  readonly timeouts: Timeouts
  readonly budget: RetryBudget
  readonly observe: (model: Model, outcome: string, ms: number) => void
  readonly log: Logger
}

/**
 * Asks the models in order, each with its retries, until one delivers its first piece.
 * @param candidates the model that was asked, then its fallbacks, taken only as they are needed
 * @throws ProviderFailure of the first model when none answers, or when `signal` aborts
 */
export async function openAnswer(
  deps: OpenAnswerDeps,
  candidates: AsyncIterable<Candidate>,
  messages: readonly PromptMessage[],
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const end = performance.now() + deps.timeouts.firstToken
  let failure: ProviderFailure | undefined
  for await (const { model, isLast } of candidates) {
    const left = end - performance.now()
    const deadline = isLast ? end : end - left * (1 - shareBeforeFallbacks)
    try {
      return await openModel(deps, model, messages, signal, deadline)
    } catch (error) {
      const failed = readFailure(error)
      failure ??= failed
      if (signal.aborted) throw readFailure(signal.reason)
      deps.log.warn({ model: model.id, reason: failed.reason }, 'a model did not answer')
    }
  }
  throw failure ?? unconfigured()
}

async function openModel(
  deps: OpenAnswerDeps,
  model: Model,
  messages: readonly PromptMessage[],
  signal: AbortSignal,
  deadline: number,
): Promise<OpenAnswer> {
  const target = deps.targetOf(model)
  if (target === undefined) throw unconfigured()
  deps.budget.earn(model.provider)
  for (let retry = 0; ; retry += 1) {
    const startedAt = performance.now()
    const attempt = startAttempt(deps.adapterOf(model), target, messages, signal)
    try {
      const opening = await readOpening(attempt, deadline)
      deps.observe(model, 'answered', performance.now() - startedAt)
      return { model, opening, attempt, startedAt }
    } catch (error) {
      attempt.cancel()
      const failure = readFailure(error)
      deps.observe(model, failure.code, performance.now() - startedAt)
      const wait = waitBefore(retry, failure, deps.timeouts)
      const inTime = wait !== undefined && performance.now() + wait < deadline
      if (signal.aborted || !inTime || !deps.budget.spend(model.provider)) throw failure
      await sleep(wait, undefined, { signal })
    }
  }
}

/** Milliseconds before the next try of the same model; undefined when there is none. */
function waitBefore(retry: number, failure: ProviderFailure, timeouts: Timeouts): number | undefined {
  const delay = timeouts.retryDelays[retry]
  if (!failure.retryable || delay === undefined) return undefined
  // Spread, so that callers that failed together do not come back together.
  return failure.retryAfterMs ?? delay * (0.75 + Math.random() / 2)
}

async function readOpening(attempt: Attempt, deadline: number): Promise<ProviderEvent[]> {
  const opening: ProviderEvent[] = []
  for (;;) {
    const left = deadline - performance.now()
    if (left <= 0) throw timedOut('first token')
    const events = await attempt.next(left, 'first token')
    // An answer that is complete and empty is none.
    if (events === undefined) throw brokenOff()
    opening.push(...events)
    if (events.some(({ type }) => type === 'text' || type === 'reasoning')) return opening
  }
}
