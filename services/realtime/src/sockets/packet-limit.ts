import type { SocketLimits } from '../limits.ts'

/**
 * Counts what one connection sends: so many at once, and so many more each second.
 * @param nowMs a clock that never goes back
 * @returns whether one more is allowed
 */
export function createPacketLimit({ burst, perSecond }: SocketLimits['packets'], nowMs: () => number): () => boolean {
  let left = burst
  let at = nowMs()
  return () => {
    const now = nowMs()
    left = Math.min(burst, left + ((now - at) / 1_000) * perSecond)
    at = now
    left -= 1
    return left >= 0
  }
}
