import type { PromptMessage } from '@parley/contracts'
import type { Adapter, ProviderEvent, Target } from '../adapters/adapter.ts'
import { brokenOff, readFailure, timedOut } from './failure.ts'

/** What may follow the finish (the figures) is not waited for longer than this. Milliseconds. */
const afterFinishMs = 3_000

/** One running call of a provider. */
export interface Attempt {
  /**
   * The next event; undefined after a complete answer.
   * @param deadline names the wait in the failure when nothing came for `waitMs`
   * @throws ProviderFailure; the call is over then
   */
  next(waitMs: number, deadline: string): Promise<ProviderEvent | undefined>
  /** Ends the call at the provider. Idempotent. */
  cancel(): void
}

/** Starts a call; it is cancelled when `parent` aborts. */
export function startAttempt(
  adapter: Adapter,
  target: Target,
  messages: readonly PromptMessage[],
  parent: AbortSignal,
): Attempt {
  const own = new AbortController()
  const signal = AbortSignal.any([parent, own.signal])
  const events = adapter(target, messages, signal)[Symbol.asyncIterator]()
  let finished = false
  let interrupt: (reason: unknown) => void = () => undefined
  signal.addEventListener('abort', () => interrupt(signal.reason), { once: true })

  const read = async (): Promise<ProviderEvent | undefined> => {
    signal.throwIfAborted()
    const { value, done } = await events.next()
    // The openai SDK ends an aborted stream as if it were complete.
    signal.throwIfAborted()
    if (done === true && !finished) throw brokenOff()
    if (done === true) return undefined
    if (value.type === 'finish') finished = true
    return value
  }
  return {
    async next(waitMs, deadline) {
      const limit = finished ? Math.min(waitMs, afterFinishMs) : Math.max(waitMs, 0)
      const timer = setTimeout(() => own.abort(timedOut(deadline)), limit)
      try {
        return await new Promise((resolve, reject) => {
          interrupt = reject
          read().then(resolve, reject)
        })
      } catch (error) {
        const cause = signal.aborted ? signal.reason : error
        own.abort(cause)
        // The text was complete; only its figures are missing.
        if (finished && !parent.aborted) return undefined
        throw readFailure(cause)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel: () => own.abort(),
  }
}
