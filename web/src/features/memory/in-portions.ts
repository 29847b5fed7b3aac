const atOnce = 4

export interface Outcome<T> {
  readonly done: readonly T[]
  /** The first error; null without one. */
  readonly error: unknown
}

/** Makes a call per item with limited concurrency; starts no further ones after a failure. */
export async function forEachOf<T>(items: readonly T[], call: (item: T) => Promise<unknown>): Promise<Outcome<T>> {
  const done: T[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    const portion = items.slice(at, at + atOnce)
    const results = await Promise.allSettled(portion.map(call))
    const failed = results.find((result) => result.status === 'rejected')
    done.push(...portion.filter((_, index) => results[index]?.status === 'fulfilled'))
    if (failed) return { done, error: failed.reason }
  }
  return { done, error: null }
}
