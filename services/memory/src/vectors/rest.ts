import type { Clock } from '@parley/kit'

/** Exponential backoff: pauses all calls after a failure, twice as long after each further one. Not paused at first. Durations in milliseconds. */
export function createRest({ firstMs, longestMs }: { firstMs: number; longestMs: number }, now: Clock) {
  let failures = 0
  let untilMs = 0
  return {
    /** Whether calls are paused. */
    isResting: () => now().getTime() < untilMs,
    failed(): void {
      untilMs = now().getTime() + Math.min(firstMs * 2 ** failures, longestMs)
      failures += 1
    },
    worked(): void {
      failures = 0
      untilMs = 0
    },
  }
}

/** The backoff of calls. */
export type Rest = ReturnType<typeof createRest>
