import type { ProviderCall, ProviderEvent } from '../adapters/adapter.ts'
import { brokenOff, readFailure } from './failure.ts'
import { createWatchdog } from './watchdog.ts'

/** Milliseconds to wait for usage figures after the finish. */
const afterFinishMs = 3_000

/** One running call of a provider. */
export type Attempt = ReturnType<typeof startAttempt>

/** Starts a call; `parent` cancels it. */
export function startAttempt(call: ProviderCall, parent: AbortSignal) {
  const own = new AbortController()
  // Not `AbortSignal.any`: checking its state for every token is slow.
  const { signal } = own
  const follow = (): void => own.abort(parent.reason)
  if (parent.aborted) follow()
  parent.addEventListener('abort', follow, { once: true })
  const watchdog = createWatchdog((failure) => own.abort(failure))
  let events: AsyncIterator<readonly ProviderEvent[]> | undefined
  let finished = false
  let interrupt: (reason: unknown) => void = () => undefined
  signal.addEventListener('abort', () => interrupt(signal.reason), { once: true })

  const read = async (): Promise<readonly ProviderEvent[] | undefined> => {
    signal.throwIfAborted()
    events ??= (await call(signal))[Symbol.asyncIterator]()
    const { value, done } = await events.next()
    // An SDK may end an aborted stream as if it were complete.
    signal.throwIfAborted()
    if (done === true && !finished) throw brokenOff()
    if (done === true) return undefined
    if (value.some(({ type }) => type === 'finish')) finished = true
    return value
  }
  const cancel = (): void => {
    watchdog.end()
    parent.removeEventListener('abort', follow)
    own.abort()
  }
  return {
    /**
     * The next batch of events; undefined after a complete answer.
     * @param deadline names the wait in the failure after a timeout of `waitMs`
     * @throws ProviderFailure, which ends the call
     */
    async next(waitMs: number, deadline: string): Promise<readonly ProviderEvent[] | undefined> {
      watchdog.watch(finished ? Math.min(waitMs, afterFinishMs) : Math.max(waitMs, 0), deadline)
      try {
        return await new Promise((resolve, reject) => {
          interrupt = reject
          read().then(resolve, reject)
        })
      } catch (error) {
        const cause = signal.aborted ? signal.reason : error
        own.abort(cause)
        // The text is complete; only the usage figures are missing.
        if (finished && !parent.aborted) return undefined
        throw readFailure(cause)
      } finally {
        watchdog.rest()
      }
    },
    /** Cancels the call. Idempotent. */
    cancel,
  }
}
