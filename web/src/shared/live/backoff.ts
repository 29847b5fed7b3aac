/** Bounds of the reconnect delay, in milliseconds. */
export interface Backoff {
  readonly minMs: number
  readonly maxMs: number
}

/** Delay before attempt `attempt` (from 1): exponential within the bounds, with jitter by `random` in [0, 1) so that clients do not return at once. */
export function backoffDelay({ minMs, maxMs }: Backoff, attempt: number, random: number): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** attempt)
  return Math.round(minMs + (ceiling - minMs) * random)
}
