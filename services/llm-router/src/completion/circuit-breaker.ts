import type { BreakerState } from '@parley/contracts'
import { type Clock, systemClock } from '@parley/kit'

/** Blocks calls to a failing model, so that callers fail fast and the model can recover. */
export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>

/** When a breaker opens, and for how long. */
export interface BreakerRules {
  /** Consecutive failures. */
  readonly failures: number
  /** Milliseconds until a probe is admitted. */
  readonly restMs: number
}

/** The default rules. */
const defaultBreakerRules: BreakerRules = { failures: 15, restMs: 5_000 }

interface Failing {
  readonly count: number
  /** By the monotonic clock. */
  readonly admitsAt: number
  readonly restsUntil: number
  /** When the last call failed. */
  readonly failedAt: Date
}

/** Starts with all breakers closed. @param nowMs a monotonic clock */
export function createCircuitBreaker(
  { failures, restMs }: BreakerRules = defaultBreakerRules,
  nowMs: () => number = () => performance.now(),
  now: Clock = systemClock,
) {
  const failing = new Map<string, Failing>()
  const openOne = (model: string): Failing | undefined => {
    const state = failing.get(model)
    return state === undefined || state.count < failures ? undefined : state
  }
  return {
    /** Whether a call of the model would fail fast now. Unlike `admits`, it takes no probe. */
    refuses(model: string): boolean {
      const state = openOne(model)
      return state !== undefined && nowMs() < state.admitsAt
    },
    /** False while calls to the model fail fast. After the rest, one probe at a time is admitted. */
    admits(model: string): boolean {
      const state = openOne(model)
      if (state === undefined) return true
      if (nowMs() < state.admitsAt) return false
      // The next probe is admitted if this one has no outcome after another rest.
      failing.set(model, { ...state, admitsAt: nowMs() + restMs })
      return true
    },
    /** Records the outcome of an admitted call: answered, even by a refusal, or failed because the provider is unavailable. */
    note(model: string, isAnswered: boolean): void {
      if (isAnswered) {
        failing.delete(model)
        return
      }
      const count = (failing.get(model)?.count ?? 0) + 1
      const restsUntil = nowMs() + restMs
      failing.set(model, { count, admitsAt: restsUntil, restsUntil, failedAt: now() })
    },
    /** States by model id, without closed ones: `open` during the rest, `half-open` once a probe may be or was admitted. */
    states(): ReadonlyMap<string, { readonly state: Exclude<BreakerState, 'closed'>; readonly since: Date }> {
      const notClosed = [...failing].filter(([, { count }]) => count >= failures)
      return new Map(
        notClosed.map(([model, { restsUntil, failedAt }]) => [
          model,
          nowMs() < restsUntil
            ? { state: 'open', since: failedAt }
            : { state: 'half-open', since: new Date(failedAt.getTime() + restMs) },
        ]),
      )
    },
  }
}
