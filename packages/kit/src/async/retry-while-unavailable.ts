import { isEngineUnavailable } from '../errors/engine-unavailable.ts'
import { type Attempt, retryWithBackoff } from './retry-with-backoff.ts'

export interface EngineWork<T> extends Pick<Attempt, 'what' | 'log'> {
  readonly act: () => Promise<T>
  /** How long an unavailable engine is waited for, in milliseconds; for ever by default. */
  readonly patienceMs?: number
}

/**
 * Retries, with back-off, for as long as an engine is unavailable.
 * @returns what the work does
 * @throws every other failure at once, and the last one when the patience has ended
 */
export async function retryWhileUnavailable<T>({ patienceMs = Infinity, act, ...attempt }: EngineWork<T>): Promise<T> {
  const end = performance.now() + patienceMs
  let result: T | undefined
  const over = new AbortController()
  await retryWithBackoff({
    ...attempt,
    signal: over.signal,
    async act() {
      try {
        result = await act()
      } catch (error) {
        if (!isEngineUnavailable(error) || performance.now() > end) over.abort(error)
        throw error
      }
    },
  })
  over.signal.throwIfAborted()
  return result as T
}
