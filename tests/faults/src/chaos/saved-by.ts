import type { Received } from '../listener.ts'

// An answer's text is saved every 2 s, and every 400 ms in its first 2 s. More than a second is left for each save, as machines are slow.
const savedAfterMs = 3_000
const earlySavedAfterMs = 1_500
/** A client may receive the first text later than what follows it: this much is among the first 2 s for certain. */
const earlyMs = 1_500

/** How many characters of an answer, of those that its client received, must have been saved when Parley was at work at a time. */
export function savedBy(grown: Received['grown'], workedAt: number): number {
  const [first] = grown
  if (first === undefined) return 0
  const until = Math.max(workedAt - savedAfterMs, Math.min(workedAt - earlySavedAfterMs, first.at + earlyMs))
  return grown.findLast(({ at }) => at <= until)?.length ?? 0
}
