/** Bounds of waiting before another try, in milliseconds. */
export interface Backoff {
  readonly minMs: number
  readonly maxMs: number
}

/** Milliseconds before try `attempt` (from 1): doubling between the bounds, spread by `random` in [0, 1) so that many clients do not return at once. */
export function backoffDelay({ minMs, maxMs }: Backoff, attempt: number, random: number): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** attempt)
  return Math.round(minMs + (ceiling - minMs) * random)
}
