import type { Adapter, Prompt, ProviderEvent, Target } from '../adapters/adapter.ts'
import { brokenOff, readFailure } from './failure.ts'
import { createWatchdog } from './watchdog.ts'

/** What may follow the finish (the figures) is not waited for longer than this. Milliseconds. */
const afterFinishMs = 3_000

/** One running call of a provider. */
export interface Attempt {
  /**
   * What comes next, at least one event; undefined after a complete answer.
   * @param deadline names the wait in the failure when nothing came for `waitMs`
   * @throws ProviderFailure; the call is over then
   */
  next(waitMs: number, deadline: string): Promise<readonly ProviderEvent[] | undefined>
  /** Ends the call at the provider. Idempotent. */
  cancel(): void
}

/** Starts a call; it is cancelled when `parent` aborts. */
export function startAttempt(adapter: Adapter, target: Target, prompt: Prompt, parent: AbortSignal): Attempt {
  const own = new AbortController()
  // Not `AbortSignal.any`: asking one whether it is aborted, token by token, is slow.
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
    events ??= (await adapter(target, prompt, signal))[Symbol.asyncIterator]()
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
    async next(waitMs, deadline) {
      watchdog.watch(finished ? Math.min(waitMs, afterFinishMs) : Math.max(waitMs, 0), deadline)
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
        watchdog.rest()
      }
    },
    cancel,
  }
}
