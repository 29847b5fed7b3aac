import { type Logger, withTimeout } from '@parley/kit'
import { RedisUnavailableError } from './redis-unavailable.ts'

export type Outage = ReturnType<typeof createOutage>

type State =
  | { readonly is: 'unknown' | 'there' }
  | { readonly is: 'unavailable'; readonly reason: RedisUnavailableError }

/** Whether the engine is available, as far as this process knows: nothing at first. One line is logged per outage and reason, and one per return. */
export function createOutage(log: Logger) {
  let state: State = { is: 'unknown' }
  let since = performance.now()
  let closed = false
  let change = Promise.withResolvers<void>()
  const become = (next: State): void => {
    if (state.is !== 'unavailable' || next.is !== 'unavailable') since = performance.now()
    state = next
    change.resolve()
    change = Promise.withResolvers()
  }
  const unavailableMs = (): number => (state.is === 'there' ? 0 : Math.max(1, performance.now() - since))
  const thereAgain = async (patient: boolean): Promise<void> => {
    while (state.is !== 'there') {
      if (closed || (state.is === 'unavailable' && !patient)) throw reasonOf(state)
      await change.promise
    }
  }
  return {
    /** Logged when the engine was there, or was unavailable for another reason. */
    began(reason: RedisUnavailableError): void {
      if (closed || (state.is === 'unavailable' && state.reason.kind === reason.kind)) return
      become({ is: 'unavailable', reason })
      log[reason.kind === 'unreachable' ? 'warn' : 'error']({ reason: reason.kind }, reason.message)
    },
    ended(): void {
      if (closed || state.is === 'there') return
      if (state.is === 'unavailable') log.info({ unavailableMs: Math.round(unavailableMs()) }, 'Redis is back')
      become({ is: 'there' })
    },
    /** Milliseconds for which the engine has been unavailable or not been seen yet; 0 while it is there. */
    unavailableMs,
    /**
     * Resolves while the engine is there. Waits up to `ms` while nothing is known of it yet, and when `patient` while it is unavailable, too.
     * @throws RedisUnavailableError
     */
    async assertConnected(ms: number, patient = false): Promise<void> {
      if (state.is === 'there') return
      await withTimeout(ms, thereAgain(patient), () => reasonOf(state))
    },
    /** From now on the engine counts as unavailable, and nothing is logged. */
    close(): void {
      closed = true
      become({
        is: 'unavailable',
        reason: new RedisUnavailableError('unreachable', new Error('the connection was closed')),
      })
    },
  }
}

const reasonOf = (state: State): RedisUnavailableError =>
  state.is === 'unavailable' ? state.reason : new RedisUnavailableError('unreachable')
