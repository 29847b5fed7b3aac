import type { KeyLimits, KeyTier, KnownKey } from '@parley/contracts'

/** An API key as it is kept, without its secrets. */
export interface StoredKey {
  readonly id: string
  /** What lists are counted through by. */
  readonly seq: number
  readonly userId: string
  readonly label: string
  readonly prefix: string
  readonly lastFour: string
  readonly tier: KeyTier
  readonly customLimits: KeyLimits | null
  /** Of what admins edit. */
  readonly version: number
  readonly createdAt: Date
  readonly lastUsed: Date | null
  readonly expiresAt: Date | null
}

/** A secret as it is kept and shown: its hash in hex, how it begins and how it ends. */
export interface SecretMark {
  readonly hash: string
  readonly prefix: string
  readonly lastFour: string
}

/** A secret that was looked up: its key, and when a rotation ends it. */
export interface FoundKey {
  readonly key: StoredKey
  readonly endsAt: Date | null
}

/** When a secret stops being good: at its key's expiry or the end of a rotation's overlap, whichever is first; null for neither. */
export function endOf({ key, endsAt }: FoundKey): Date | null {
  const ends = [key.expiresAt, endsAt].filter((end) => end !== null)
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
}

/** What the gateway lets requests through by; null for a secret of no key and for one that is over. */
export function knownKeyOf(found: FoundKey | undefined, now: Date): KnownKey | null {
  if (found === undefined) return null
  const end = endOf(found)
  if (end !== null && end <= now) return null
  const { id: keyId, userId, tier, customLimits } = found.key
  return { keyId, userId, tier, customLimits, endsAt: end?.toISOString() ?? null }
}
