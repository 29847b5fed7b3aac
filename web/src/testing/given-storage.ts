import { vi } from 'vitest'

/** Replaces the local storage with an empty one, until globals are unstubbed. */
export function givenStorage(): void {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
}
