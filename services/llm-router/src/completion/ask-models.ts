import { setTimeout as sleep } from 'node:timers/promises'
import type { Model } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Target } from '../adapters/adapter.ts'
import { type ProviderFailure, readFailure, unconfigured } from './failure.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { Timeouts } from './timeouts.ts'

/** A model that may answer. */
export interface Candidate {
  readonly model: Model
  /** No fallback follows. */
  readonly isLast: boolean
}

/** What asking models uses. */
export interface AskModelsDeps {
  /** Undefined when the model's provider is not configured. */
  readonly targetOf: (model: Model) => Target | undefined
  readonly timeouts: Timeouts
  readonly budget: RetryBudget
  readonly observe: (model: Model, outcome: string, ms: number) => void
  readonly log: Logger
}

/** What came of one call of a provider, and of which model. */
export interface Asked<T> {
  /** The model that was asked, or a fallback. */
  readonly model: Model
  readonly answer: T
  readonly startedAt: number
}

/** One call; it must end by itself at `deadline` (of `performance.now()`) and when the caller leaves. */
export type AskModel<T> = (model: Model, target: Target, deadline: number) => Promise<T>

/** How long may be asked, and until who leaves. */
export interface AskLimits {
  /** Milliseconds for all models with their retries. */
  readonly withinMs: number
  readonly signal: AbortSignal
}

/** Of the time that is left, what a model takes that others stand behind. */
const shareBeforeFallbacks = 2 / 3

/**
 * Asks the models in order, each with its retries, until one call succeeds.
 * @param candidates the model that was asked, then its fallbacks, taken only as they are needed
 * @throws ProviderFailure of the first model when none answers, or when the signal aborts
 */
export async function askModels<T>(
  deps: AskModelsDeps,
  candidates: AsyncIterable<Candidate>,
  { withinMs, signal }: AskLimits,
  ask: AskModel<T>,
): Promise<Asked<T>> {
  const end = performance.now() + withinMs
  let failure: ProviderFailure | undefined
  for await (const { model, isLast } of candidates) {
    const left = end - performance.now()
    const deadline = isLast ? end : end - left * (1 - shareBeforeFallbacks)
    try {
      return await askModel(deps, model, { deadline, signal }, ask)
    } catch (error) {
      const failed = readFailure(error)
      failure ??= failed
      if (signal.aborted) throw readFailure(signal.reason)
      deps.log.warn({ model: model.id, reason: failed.reason }, 'a model did not answer')
    }
  }
  throw failure ?? unconfigured()
}

async function askModel<T>(
  deps: AskModelsDeps,
  model: Model,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
  ask: AskModel<T>,
): Promise<Asked<T>> {
  const target = deps.targetOf(model)
  if (target === undefined) throw unconfigured()
  deps.budget.earn(model.provider)
  for (let retry = 0; ; retry += 1) {
    const startedAt = performance.now()
    try {
      const answer = await ask(model, target, deadline)
      deps.observe(model, 'answered', performance.now() - startedAt)
      return { model, answer, startedAt }
    } catch (error) {
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
