import type { Cache } from '@parley/cache'

const key = (generationId: string): string => `reader:${generationId}`

/** True while somebody reads a guest's answer, on any replica. */
export const hasReader = async (cache: Cache, generationId: string): Promise<boolean> =>
  (await cache.get(key(generationId))) !== undefined

/** Tells that an answer is being read until the returned function is called, and for up to `ttlMs` longer. */
export function showReader(cache: Cache, generationId: string, ttlMs: number): () => void {
  const show = (): void => {
    // A reader that is not seen costs at most an answer that ends early.
    cache.set(key(generationId), '1', ttlMs).catch(() => undefined)
  }
  show()
  const timer = setInterval(show, ttlMs / 3)
  return () => clearInterval(timer)
}
