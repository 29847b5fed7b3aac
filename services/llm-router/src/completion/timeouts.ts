/** How long things may take. Milliseconds. */
export interface Timeouts {
  /** For one connection. */
  readonly connect: number
  /** Until the first token, retries and fallbacks included. */
  readonly firstToken: number
  /** Between two pieces of an answer. */
  readonly idle: number
  /** For a whole completion with its retries and fallbacks. */
  readonly total: number
  /** For a whole image with its retries and fallbacks. */
  readonly image: number
  /** Waits before the first and the second retry; the provider's Retry-After wins. */
  readonly retryDelays: readonly number[]
}

/** The product's own times. */
export const defaultTimeouts: Timeouts = {
  connect: 5_000,
  firstToken: 30_000,
  idle: 60_000,
  total: 600_000,
  image: 120_000,
  retryDelays: [250, 1_000],
}
