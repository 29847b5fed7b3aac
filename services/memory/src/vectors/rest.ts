import type { Clock } from '@parley/kit'

/** A pause after failures, twice as long after each further one. */
export interface Rest {
  /** Nothing is asked now. */
  isResting(): boolean
  failed(): void
  worked(): void
}

/** Nothing has failed yet. Milliseconds. */
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
