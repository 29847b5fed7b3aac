import type { BreakerState } from '@parley/contracts'
import { type Clock, systemClock } from '@parley/kit'

/** Keeps calls from a model that does not answer, so that its callers are told at once and it can recover. */
export interface CircuitBreaker {
  /** False while calls of the model fail at once. Once it has rested, one call after the other is let through as a probe. */
  admits(model: string): boolean
  /** A call that was let through was answered, if only by a refusal, or failed as those do whose provider is away. */
  note(model: string, isAnswered: boolean): void
  /** By id, of models whose state is not closed: `open` while it rests, `half-open` once a probe may be or was let through. */
  states(): ReadonlyMap<string, { readonly state: Exclude<BreakerState, 'closed'>; readonly since: Date }>
}

/** When a breaker opens, and for how long. */
export interface BreakerRules {
  /** Failures in a row. */
  readonly failures: number
  /** Milliseconds until a call is let through again. */
  readonly restMs: number
}

/** The product's own rules. */
export const defaultBreakerRules: BreakerRules = { failures: 15, restMs: 5_000 }

interface Failing {
  readonly count: number
  /** Of the monotonic clock. */
  readonly admitsAt: number
  readonly restsUntil: number
  /** When the last call failed. */
  readonly failedAt: Date
}

/** Every model is admitted. @param nowMs a monotonic clock */
export function createCircuitBreaker(
  { failures, restMs }: BreakerRules = defaultBreakerRules,
  nowMs: () => number = () => performance.now(),
  now: Clock = systemClock,
): CircuitBreaker {
  const failing = new Map<string, Failing>()
  return {
    admits(model) {
      const state = failing.get(model)
      if (state === undefined || state.count < failures) return true
      if (nowMs() < state.admitsAt) return false
      // The next one is let through when this one has not been heard of for as long again.
      failing.set(model, { ...state, admitsAt: nowMs() + restMs })
      return true
    },
    note(model, isAnswered) {
      if (isAnswered) {
        failing.delete(model)
        return
      }
      const count = (failing.get(model)?.count ?? 0) + 1
      const restsUntil = nowMs() + restMs
      failing.set(model, { count, admitsAt: restsUntil, restsUntil, failedAt: now() })
    },
    states() {
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
