import { LRUCache } from 'lru-cache'
import type { Cache } from '../ports.ts'

/** Keeps at most 10,000 values and 16 M characters; what was used longest ago goes first. */
export function createMemoryCache(): Cache {
  const values = new LRUCache<string, string>({
    max: 10_000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: (value, key) => Math.max(1, key.length + value.length),
  })
  return {
    get: async (key) => values.get(key),
    async set(key, value, ttlMs) {
      // To the library 0 means for ever.
      if (ttlMs > 0) values.set(key, value, { ttl: ttlMs })
      else values.delete(key)
    },
    async delete(key) {
      values.delete(key)
    },
  }
}
