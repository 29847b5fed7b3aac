import type { Signal } from '@parley/cache'
import type { AnswerDelay, CompletionBody, Model } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { ProviderFailure } from './failure.ts'

/** HTTP statuses of overloaded providers: too many requests, unavailable, and Anthropic's overloaded. */
const busyStatuses: readonly (number | undefined)[] = [429, 503, 529]

/**
 * The delay reported when a call failed and the same model is retried.
 * @param retry number of the next retry, from 0, and its wait
 * @param retries maximum number of retries
 */
export const delayByRetry = (
  { id }: Pick<Model, 'id'>,
  { status }: Pick<ProviderFailure, 'status'>,
  { retry, retries, waitMs }: { readonly retry: number; readonly retries: number; readonly waitMs: number },
): AnswerDelay => ({
  state: 'retrying',
  model: id,
  reason: busyStatuses.includes(status) ? 'busy' : 'failing',
  attempt: retry + 2,
  of: retries + 1,
  waitMs: Math.round(waitMs),
})

/** The delay reported when `from` failed and another model is tried. */
export const delayByFallback = (from: Pick<Model, 'id'>, { id }: Pick<Model, 'id'>): AnswerDelay => ({
  state: 'falling-back',
  from: from.id,
  model: id,
})

export interface DelaysDeps {
  readonly signal: Pick<Signal, 'publish'>
  readonly log: Logger
}

/** Signals the delays of a completion to its watcher. Best effort: the answer does not wait for a signal, and a lost one is not repeated. */
export function delaysOf(
  { signal, log }: DelaysDeps,
  { watcher, generationId }: CompletionBody,
): ((delay: AnswerDelay) => void) | undefined {
  if (watcher === undefined) return undefined
  return (delay) => {
    signal.publish('answer-delayed', { ...watcher, delay }).catch((error: unknown) => {
      log.warn({ err: error, generationId }, 'a delay of an answer could not be signalled')
    })
  }
}
