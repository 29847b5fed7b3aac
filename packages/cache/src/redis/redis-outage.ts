import { type Logger, withTimeout } from '@parley/kit'
import { RedisUnavailableError } from './redis-unavailable.ts'

/** Whether the engine is available, as far as this process knows. */
export interface Outage {
  /** Logged when the engine was there, or was unavailable for another reason. */
  began(reason: RedisUnavailableError): void
  ended(): void
  /** Milliseconds for which the engine has been unavailable or not been seen yet; 0 while it is there. */
  unavailableMs(): number
  /**
   * Resolves while the engine is there. Waits up to `ms` while nothing is known of it yet, and when `patient` while it is unavailable, too.
   * @throws RedisUnavailableError
   */
  assertConnected(ms: number, patient?: boolean): Promise<void>
  /** From now on the engine counts as unavailable, and nothing is logged. */
  close(): void
}

type State =
  | { readonly is: 'unknown' | 'there' }
  | { readonly is: 'unavailable'; readonly reason: RedisUnavailableError }

/** Starts with knowing nothing. One line is logged per outage and reason, and one per return. */
export function createOutage(log: Logger): Outage {
  let state: State = { is: 'unknown' }
  let since = performance.now()
  let closed = false
  const waiting = new Set<() => void>()
  const become = (next: State): void => {
    if (state.is !== 'unavailable' || next.is !== 'unavailable') since = performance.now()
    state = next
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const unavailableMs = (): number => (state.is === 'there' ? 0 : Math.max(1, performance.now() - since))
  const nextChange = (): Promise<void> => new Promise((resolve) => waiting.add(resolve))
  const thereAgain = async (patient: boolean): Promise<void> => {
    while (state.is !== 'there') {
      if (closed || (state.is === 'unavailable' && !patient)) throw reasonOf(state)
      await nextChange()
    }
  }
  return {
    began(reason) {
      if (closed || (state.is === 'unavailable' && state.reason.kind === reason.kind)) return
      become({ is: 'unavailable', reason })
      log[reason.kind === 'unreachable' ? 'warn' : 'error']({ reason: reason.kind }, reason.message)
    },
    ended() {
      if (closed || state.is === 'there') return
      if (state.is === 'unavailable') log.info({ unavailableMs: Math.round(unavailableMs()) }, 'Redis is back')
      become({ is: 'there' })
    },
    unavailableMs,
    assertConnected: async (ms, patient = false) => {
      if (state.is === 'there') return
      await withTimeout(ms, thereAgain(patient), () => reasonOf(state))
    },
    close() {
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
