import { type KnownKey, keyInternalRoutes } from '@parley/contracts'
import {
  type Clock,
  createFreshValue,
  type FreshValue,
  hashKeySecret,
  isKeySecret,
  type ServiceClient,
} from '@parley/kit'
import { LRUCache } from 'lru-cache'

/** Maximum age of a cached key in milliseconds, in case the signal of a change was lost. */
const maxAgeMs = 30_000
/** Maximum number of cached secrets, including unknown ones. */
const maxSecrets = 100_000

/** API keys, fetched from billing by the hash of their secret and cached for at most 30 s, including misses. */
export type KnownKeys = ReturnType<typeof createKnownKeys>

interface Entry {
  readonly fresh: FreshValue<KnownKey | null>
  /** Undefined while it is being fetched; empty when there is no key. */
  keyId?: string
}

/** Concurrent callers with the same secret share one request. */
export function createKnownKeys(client: ServiceClient, now: Clock) {
  const entries = new LRUCache<string, Entry>({ max: maxSecrets })
  const entryOf = (hash: string): Entry => {
    const entry = entries.get(hash) ?? { fresh: createFreshValue<KnownKey | null>({ maxAgeMs, now }) }
    entries.set(hash, entry)
    return entry
  }
  return {
    /**
     * The key of a secret; undefined when there is none or it has expired. Text that cannot be a secret is not looked up.
     * @throws AppError unavailable when billing is unavailable and no fresh value is cached
     */
    async find(secret: string): Promise<KnownKey | undefined> {
      if (!isKeySecret(secret)) return undefined
      const hash = hashKeySecret(secret)
      const entry = entryOf(hash)
      const key = await entry.fresh.get(async () => {
        const found = await client.call(keyInternalRoutes.find, { params: { hash } })
        entry.keyId = found.key?.keyId ?? ''
        return found.key
      })
      return key === null || isOver(key, now()) ? undefined : key
    },
    /** Synchronous variant; also undefined while the key is not cached. */
    peek(secret: string): KnownKey | undefined {
      const key = entries.get(hashKeySecret(secret))?.fresh.peek()
      return key === null || key === undefined || isOver(key, now()) ? undefined : key
    },
    /** Drops a key from the cache. Call it when the key changed. */
    drop(keyId: string): void {
      // A key still being fetched may be this one.
      for (const [hash, entry] of entries.entries()) {
        if (entry.keyId === keyId || entry.keyId === undefined) entries.delete(hash)
      }
    },
    /** Drops all keys. */
    clear: (): void => entries.clear(),
  }
}

const isOver = ({ endsAt }: KnownKey, now: Date): boolean => endsAt !== null && now.getTime() >= Date.parse(endsAt)
