/** Timeouts in milliseconds. */
export interface Timeouts {
  /** Per connection. */
  readonly connect: number
  /** Until the first token, including retries and fallbacks. */
  readonly firstToken: number
  /** For fetching the images of a prompt, before its models are asked. */
  readonly files: number
  /** Between two pieces of an answer. */
  readonly idle: number
  /** For a whole completion, including retries and fallbacks. */
  readonly total: number
  /** For a whole image, including retries and fallbacks. */
  readonly image: number
  /** Backoff before the first and the second retry; the provider's Retry-After takes precedence. */
  readonly retryDelays: readonly number[]
}

/** The default timeouts. */
export const defaultTimeouts: Timeouts = {
  connect: 5_000,
  firstToken: 30_000,
  files: 30_000,
  idle: 60_000,
  total: 600_000,
  image: 120_000,
  retryDelays: [250, 1_000],
}
