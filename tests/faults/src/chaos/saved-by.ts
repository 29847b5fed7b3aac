import type { Received } from '../listener.ts'

// Text is saved every 2 s, and every 400 ms in the first 2 s. The rest, over a second per save, allows for slow machines.
const savedAfterMs = 3_000
const earlySavedAfterMs = 1_500
/** The client may receive the first text with a delay; this much of its time certainly lies within the first 2 s. */
const earlyMs = 1_500

/** How many of the characters a client received must have been saved, given the last time at which Parley is known to have been working. */
export function savedBy(grown: Received['grown'], workedAt: number): number {
  const [first] = grown
  if (first === undefined) return 0
  const until = Math.max(workedAt - savedAfterMs, Math.min(workedAt - earlySavedAfterMs, first.at + earlyMs))
  return grown.findLast(({ at }) => at <= until)?.length ?? 0
}
