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

/** How old what is known of a key may be when the signal of a change was lost. Milliseconds. */
const maxAgeMs = 30_000
/** Secrets that something is known of, those of no key among them. */
const maxSecrets = 100_000

/** API keys, asked of billing by the hash of their secret and kept for at most 30 s, also that there is none. */
export interface KnownKeys {
  /**
   * The key of a secret; undefined when there is none or it is over. What has not the form of a secret is of none, and nobody is asked.
   * @throws AppError unavailable when billing cannot be asked and nothing recent is known
   */
  find(secret: string): Promise<KnownKey | undefined>
  /** The same at once; undefined also while it is not known. */
  peek(secret: string): KnownKey | undefined
  /** Forgets a key, to be called when something about it changed. */
  drop(keyId: string): void
  /** Forgets all. */
  clear(): void
}

interface Entry {
  readonly fresh: FreshValue<KnownKey | null>
  /** Undefined while it is not known; empty when there is no key. */
  keyId?: string
}

/** Concurrent callers of one secret share one question. */
export function createKnownKeys(client: ServiceClient, now: Clock): KnownKeys {
  const entries = new LRUCache<string, Entry>({ max: maxSecrets })
  const entryOf = (hash: string): Entry => {
    const entry = entries.get(hash) ?? { fresh: createFreshValue<KnownKey | null>({ maxAgeMs, now }) }
    entries.set(hash, entry)
    return entry
  }
  return {
    async find(secret) {
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
    peek(secret) {
      const key = entries.get(hashKeySecret(secret))?.fresh.peek()
      return key === null || key === undefined || isOver(key, now()) ? undefined : key
    },
    drop(keyId) {
      // One that is being asked for may be this one.
      for (const [hash, entry] of entries.entries()) {
        if (entry.keyId === keyId || entry.keyId === undefined) entries.delete(hash)
      }
    },
    clear: () => entries.clear(),
  }
}

const isOver = ({ endsAt }: KnownKey, now: Date): boolean => endsAt !== null && now.getTime() >= Date.parse(endsAt)
