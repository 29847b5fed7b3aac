import type { Clock } from '@parley/kit'

/** Exponential backoff: pauses all calls after a failure, twice as long after each further one. */
export interface Rest {
  /** Whether calls are paused. */
  isResting(): boolean
  failed(): void
  worked(): void
}

/** Not paused at first. Durations in milliseconds. */
export function createRest({ firstMs, longestMs }: { firstMs: number; longestMs: number }, now: Clock): Rest {
  let failures = 0
  let untilMs = 0
  return {
    isResting: () => now().getTime() < untilMs,
    failed() {
      untilMs = now().getTime() + Math.min(firstMs * 2 ** failures, longestMs)
      failures += 1
    },
    worked() {
      failures = 0
      untilMs = 0
    },
  }
}
