/** Messages used in a bucket's current window. */
export interface BucketUse {
  readonly used: number
  /** When the window ends; undefined when none has begun. */
  readonly resetAt: Date | undefined
}

/** A bucket's limit in a window that starts with its first message. */
export interface BucketLimit {
  readonly messages: number
  readonly windowMs: number
}

/**
 * Counts guests' messages per bucket: a guest, or a network. Every act is one atomic change of one bucket, on disk when it resolves:
 * whatever the interleaving, never more are granted in a window than the limit. A changed limit holds at once.
 */
export interface GuestStore {
  /** Takes one message for a generation; taking it again for the same generation changes nothing. A refusal takes nothing. */
  take(bucket: string, generationId: string, limit: BucketLimit, now: Date): Promise<BucketUse & { granted: boolean }>
  /** Settles a taken message for good: `kept` false gives it back. Nothing happens when it was settled before or its window is over. */
  settle(bucket: string, generationId: string, kept: boolean): Promise<void>
  use(bucket: string, windowMs: number, now: Date): Promise<BucketUse>
  /** Forgets buckets whose window began before `before`. */
  purge(before: Date): Promise<void>
}
