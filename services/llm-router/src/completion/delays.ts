import type { Signal } from '@parley/cache'
import type { AnswerDelay, CompletionBody, Model } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { ProviderFailure } from './failure.ts'

/** Statuses by which providers say that they have too much to do: too many requests, unavailable for now, Anthropic's overloaded. */
const busyStatuses: readonly (number | undefined)[] = [429, 503, 529]

/**
 * What is told when a call of a model failed and the same one is called again.
 * @param retry number of the next retry, from 0, and after how long
 * @param retries so many there are at most
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

/** What is told when `from` did not answer and another model is asked. */
export const delayByFallback = (from: Pick<Model, 'id'>, { id }: Pick<Model, 'id'>): AnswerDelay => ({
  state: 'falling-back',
  from: from.id,
  model: id,
})

export interface DelaysDeps {
  readonly signal: Pick<Signal, 'publish'>
  readonly log: Logger
}

/** Sends the delays of a completion to its watcher. The answer waits for none of them, and does without one that is lost. */
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
