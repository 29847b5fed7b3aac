import type { SocketLimits } from '../limits.ts'

/**
 * A token bucket for the packets of one connection.
 * @param nowMs a monotonic clock
 * @returns takes a token: false when the bucket is empty
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
