import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerDelay, Model } from '@parley/contracts'
import { type AppError, inSpan, type Logger, type SpanOptions } from '@parley/kit'
import type { Target } from '../adapters/adapter.ts'
import type { Accounts } from './accounts.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { delayByFallback, delayByRetry } from './delays.ts'
import { knownFailure, overloaded, type ProviderFailure, readFailure, timedOut, unconfigured } from './failure.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { Timeouts } from './timeouts.ts'

/** A model to try. */
export interface Candidate {
  readonly model: Model
  /** Whether no fallback follows. */
  readonly isLast: boolean
}

export interface AskModelsDeps {
  /** Undefined when the model's provider is not configured. @param tried keys of accounts to skip */
  readonly targetOf: (model: Model, tried?: ReadonlySet<string>) => Target | undefined
  readonly accounts: Accounts
  readonly timeouts: Timeouts
  readonly budget: RetryBudget
  readonly breaker: CircuitBreaker
  readonly observe: (model: Model, outcome: string, ms: number) => void
  readonly log: Logger
}

/** The result of a provider call, with the model that answered. */
export interface Asked<T> {
  /** The requested model, or a fallback. */
  readonly model: Model
  readonly answer: T
  readonly startedAt: number
}

/** Makes one call; it must end by itself at `deadline` (of `performance.now()`) and when the caller leaves. */
export type CallModel<T> = (deadline: number) => Promise<T>

/** Builds the request of one call, before the call: what it throws is a refusal or a fault of ours, and says nothing of the model's health. */
export type BuildCall<T> = (target: Target) => CallModel<T>

/**
 * Prepares the calls of a model, once for all of them. The time it takes is not the model's, and a failure says nothing of the model's health.
 * @throws AppError when the request cannot be made of this model: then it is not called
 */
export type PrepareCalls<T> = (model: Model, target: Target) => Promise<BuildCall<T>>

/** The time limit, and the signal that the caller has left. */
export interface AskLimits {
  /** Milliseconds for all models including their retries, and without what prepares their calls. */
  readonly withinMs: number
  readonly signal: AbortSignal
  /** Called before each retry and each fallback. */
  readonly onDelay?: ((delay: AnswerDelay) => void) | undefined
}

/** The share of the remaining time for a model that has fallbacks. */
const shareBeforeFallbacks = 2 / 3

/**
 * Tries the models in order, each with its retries, until one call succeeds.
 * @param candidates the requested model, then its fallbacks, iterated lazily
 * @throws ProviderFailure of the first model when none answers, or when the signal aborts; AppError if its calls could not be prepared or built
 */
export async function askModels<T>(
  deps: AskModelsDeps,
  candidates: AsyncIterable<Candidate>,
  { withinMs, signal, onDelay }: AskLimits,
  prepare: PrepareCalls<T>,
): Promise<Asked<T>> {
  let end = performance.now() + withinMs
  let failure: ProviderFailure | AppError | undefined
  let before: Model | undefined
  for await (const { model, isLast } of candidates) {
    if (before !== undefined) onDelay?.(delayByFallback(before, model))
    before = model
    try {
      // Before the preparation, which may fetch images for a model that is not called.
      if (deps.breaker.refuses(model.id)) throw overloaded()
      const target = deps.targetOf(model)
      if (target === undefined) throw unconfigured()
      const preparingSince = performance.now()
      const build = await prepare(model, target).finally(() => {
        end += performance.now() - preparingSince
      })
      const left = end - performance.now()
      const deadline = isLast ? end : end - left * (1 - shareBeforeFallbacks)
      return await askModel(deps, model, { target, build }, { deadline, signal, onDelay })
    } catch (error) {
      if (signal.aborted) throw readFailure(signal.reason)
      const failed = knownFailure(error)
      failure ??= failed
      const unforeseen = failed === error ? undefined : { err: error }
      deps.log.warn({ model: model.id, reason: reasonOf(failed), ...unforeseen }, 'a model did not answer')
    }
  }
  throw failure ?? unconfigured()
}

const reasonOf = (failed: ProviderFailure | AppError): string => ('reason' in failed ? failed.reason : failed.code)

async function askModel<T>(
  deps: AskModelsDeps,
  model: Model,
  { target: first, build }: { readonly target: Target; readonly build: BuildCall<T> },
  { deadline, signal, onDelay }: Omit<AskLimits, 'withinMs'> & { readonly deadline: number },
): Promise<Asked<T>> {
  let target = first
  deps.budget.earn(model.provider)
  /** Keys of accounts that refused this call. */
  const tried = new Set<string>()
  for (let retry = 0; ; ) {
    const call = build(target)
    // Not noted at the breaker, as the model is not called.
    if (performance.now() >= deadline) throw timedOut('before the call')
    if (!deps.breaker.admits(model.id)) throw overloaded()
    const startedAt = performance.now()
    try {
      const answer = await inSpan('llm-router', `provider ${model.provider}`, spanOf(model), () => call(deadline))
      if (target.apiKey !== undefined) deps.accounts.answered(model.provider, target.apiKey)
      deps.breaker.note(model.id, true)
      deps.observe(model, 'answered', performance.now() - startedAt)
      return { model, answer, startedAt }
    } catch (error) {
      const failure = readFailure(error)
      deps.observe(model, failure.code, performance.now() - startedAt)
      const other = signal.aborted ? undefined : otherAccount(deps, model, { target, failure, tried })
      if (other !== undefined && performance.now() < deadline) {
        target = other
        continue
      }
      if (!signal.aborted) deps.breaker.note(model.id, !isAway(failure))
      const wait = waitBefore(retry, failure, deps.timeouts)
      const inTime = wait !== undefined && performance.now() + wait < deadline
      if (signal.aborted || !inTime || !deps.budget.spend(model.provider)) throw failure
      onDelay?.(delayByRetry(model, failure, { retry, waitMs: wait, retries: deps.timeouts.retryDelays.length }))
      await sleep(wait, undefined, { signal })
      target = deps.targetOf(model) ?? target
      retry += 1
    }
  }
}

/** The span of one call, up to its first piece. */
const spanOf = ({ id, provider }: Model): SpanOptions => ({
  kind: 'client',
  attributes: { 'gen_ai.provider.name': provider, 'gen_ai.request.model': id },
})

interface FailedCall {
  readonly target: Target
  readonly failure: ProviderFailure
  readonly tried: Set<string>
}

/** The same model through another account of its provider, if the account was refused; undefined when none is left. */
function otherAccount(
  { accounts, targetOf, log }: AskModelsDeps,
  model: Model,
  { target: { apiKey }, failure, tried }: FailedCall,
): Target | undefined {
  if (!failure.isOfAccount || apiKey === undefined) return undefined
  const rest = accounts.refused(model.provider, apiKey, failure.retryAfterMs)
  log.warn({ provider: model.provider, ...rest, reason: failure.reason }, 'a provider refused an account')
  tried.add(apiKey)
  return targetOf(model, tried)
}

/** True when the provider is unavailable or overloaded. */
const isAway = ({ retryable, code }: ProviderFailure): boolean => retryable || code === 'provider_timeout'

/** Milliseconds before the next attempt with the same model; undefined when there is none. */
function waitBefore(retry: number, failure: ProviderFailure, timeouts: Timeouts): number | undefined {
  const delay = timeouts.retryDelays[retry]
  if (!failure.retryable || delay === undefined) return undefined
  // Jitter, so that callers that failed together do not retry together.
  return failure.retryAfterMs ?? delay * (0.75 + Math.random() / 2)
}
