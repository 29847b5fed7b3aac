import type { Cache } from '@parley/cache'

/** Whether guests' answers are being read, on any replica. */
export type Presence = ReturnType<typeof createPresence>

/** Presence of this replica's own readers and, through the cache, those of the others. */
export function createPresence(cache: Cache) {
  const here = new Map<string, number>()
  const count = (generationId: string, change: 1 | -1): void => {
    const readers = (here.get(generationId) ?? 0) + change
    if (readers === 0) here.delete(generationId)
    else here.set(generationId, readers)
  }
  return {
    /** True while the answer is read; readers of other replicas are unknown while the cache's engine is unavailable. */
    async hasReader(generationId: string): Promise<boolean> {
      return here.has(generationId) || (await cache.get(key(generationId))) !== undefined
    },
    /** Tells that an answer is being read until the returned function is called, and for up to `ttlMs` longer. */
    show(generationId: string, ttlMs: number): () => void {
      const show = (): void => {
        // A reader that is not seen costs at most an answer that ends early.
        cache.set(key(generationId), '1', ttlMs).catch(() => undefined)
      }
      show()
      count(generationId, 1)
      const timer = setInterval(show, ttlMs / 3)
      return () => {
        clearInterval(timer)
        count(generationId, -1)
      }
    },
  }
}

const key = (generationId: string): string => `reader:${generationId}`
