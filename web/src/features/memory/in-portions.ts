/** Calls under way at the same time. */
const atOnce = 4

/** What came of many calls. */
export interface Outcome<T> {
  readonly done: readonly T[]
  /** Why the first one failed; null when none did. */
  readonly error: unknown
}

/** Makes a call for each item, a few at a time; after a failure no further ones are begun. */
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
