/** How often something may be done: at once, and per second after that. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/**
 * A token bucket, full at first. A refusal takes nothing, so that it does not postpone the next token.
 * @param nowMs a monotonic clock
 * @returns takes a token: false when the bucket is empty
 */
export function createTokenBucket({ burst, perSecond }: Rate, nowMs: () => number): () => boolean {
  let left = burst
  let at = nowMs()
  return () => {
    const now = nowMs()
    left = Math.min(burst, left + ((now - at) / 1_000) * perSecond)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

/** As `createTokenBucket`, for each key. A bucket is forgotten once it has been full again without being used. */
export function createTokenBuckets(rate: Rate, nowMs: () => number): (key: string) => boolean {
  const refillMs = (rate.burst / rate.perSecond) * 1_000
  const buckets = new Map<string, { readonly take: () => boolean; readonly forgetting: NodeJS.Timeout }>()
  const bucketOf = (key: string) => {
    const forgetting = setTimeout(() => buckets.delete(key), refillMs).unref()
    return { take: createTokenBucket(rate, nowMs), forgetting }
  }
  return (key) => {
    const bucket = buckets.get(key) ?? bucketOf(key)
    buckets.set(key, bucket)
    bucket.forgetting.refresh()
    return bucket.take()
  }
}
