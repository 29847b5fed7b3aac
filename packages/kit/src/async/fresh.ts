import { LRUCache } from 'lru-cache'
import type { Clock } from '../ids.ts'

/** How long what was fetched on demand is kept. */
export interface FreshOptions {
  /** Milliseconds from the beginning of a fetch for which its value is kept; with 0 callers only share the fetch under way. */
  readonly maxAgeMs: number
  /** After a failed fetch the previous value is used for this many milliseconds more, however old it is; without it the failure is thrown. */
  readonly staleMs?: number
  /** Monotonic by default. */
  readonly now?: Clock
}

export type FreshValue<V> = ReturnType<typeof createFreshValue<V>>

/** One value that is fetched on demand and kept for a while. */
export function createFreshValue<V>({ maxAgeMs, staleMs, now }: FreshOptions) {
  const ms = (): number => now?.().getTime() ?? performance.now()
  let kept: { value: Promise<V>; settled?: V; since: number; forMs: number } | undefined
  const begin = (fetch: () => Promise<V>): NonNullable<typeof kept> => {
    const last = kept
    const begun: NonNullable<typeof kept> = { value: fetch(), since: ms(), forMs: Number.POSITIVE_INFINITY }
    begun.value = begun.value.then(
      (value) => {
        begun.forMs = maxAgeMs
        begun.settled = value
        return value
      },
      (error: unknown) => {
        if (last === undefined || staleMs === undefined) {
          if (kept === begun) kept = undefined
          throw error
        }
        Object.assign(begun, { since: ms(), forMs: staleMs, settled: last.settled })
        return last.value
      },
    )
    return begun
  }
  // Either way: a clock that was set back must not make a value last.
  const isFresh = (one: NonNullable<typeof kept>): boolean => Math.abs(ms() - one.since) < one.forMs
  return {
    /** The cached value, else that of the fetch under way, which all callers share, else of a new fetch. @throws the fetch's error, which is not cached */
    get(fetch: () => Promise<V>): Promise<V> {
      if (kept === undefined || !isFresh(kept)) kept = begin(fetch)
      return kept.value
    },
    /** The value that is kept, at once; undefined while there is none, and while it is fetched. */
    peek: (): V | undefined => (kept !== undefined && isFresh(kept) ? kept.settled : undefined),
    /** The next caller fetches. A fetch under way now answers those who share it, and its value is not kept. */
    drop(): void {
      kept = undefined
    },
  }
}

/**
 * Values by key that are fetched on demand and kept for a while, each as by `createFreshValue`.
 * @param options with the most keys that are cached; the one that was used least recently is evicted first
 */
export function createFresh<V>(options: FreshOptions & { readonly max: number }) {
  const values = new LRUCache<string, FreshValue<V>>({ max: options.max })
  return {
    get(key: string, fetch: () => Promise<V>): Promise<V> {
      const value = values.get(key) ?? createFreshValue<V>(options)
      values.set(key, value)
      return value.get(fetch)
    },
    drop: (key: string) => void values.delete(key),
    dropAll: () => values.clear(),
  }
}
