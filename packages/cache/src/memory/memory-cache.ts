import type { Cache } from '../ports.ts'

const maxEntries = 10_000
const maxCharacters = 16 * 1024 * 1024

/** Keeps at most 10,000 values and 16 M characters; what was set longest ago goes first. */
export function createMemoryCache(): Cache {
  const entries = new Map<string, { value: string; until: number }>()
  let characters = 0
  const drop = (key: string): void => {
    const entry = entries.get(key)
    if (entry === undefined) return
    characters -= key.length + entry.value.length
    entries.delete(key)
  }
  return {
    async get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.until > performance.now()) return entry.value
      drop(key)
      return undefined
    },
    async set(key, value, ttlMs) {
      drop(key)
      entries.set(key, { value, until: performance.now() + ttlMs })
      characters += key.length + value.length
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && characters <= maxCharacters) break
        drop(oldest)
      }
    },
    async delete(key) {
      drop(key)
    },
  }
}
