import type { KeyLimits, KeyTier, KnownKey } from '@parley/contracts'

/** A stored API key, without its secrets. */
export interface StoredKey {
  readonly id: string
  /** The cursor of lists. */
  readonly seq: number
  readonly userId: string
  readonly label: string
  readonly prefix: string
  readonly lastFour: string
  readonly tier: KeyTier
  readonly customLimits: KeyLimits | null
  /** Version of the fields that admins edit. */
  readonly version: number
  readonly createdAt: Date
  readonly lastUsed: Date | null
  readonly expiresAt: Date | null
}

/** A secret as it is stored and shown: its hash in hex, its beginning and its end. */
export interface SecretMark extends Pick<StoredKey, 'prefix' | 'lastFour'> {
  readonly hash: string
}

/** The result of looking up a secret: its key, and the time at which a rotation ends it. */
export interface FoundKey {
  readonly key: StoredKey
  readonly endsAt: Date | null
}

/** When a secret expires: with its key or at the end of a rotation's overlap, whichever is first; null for neither. */
export function endOf({ key, endsAt }: FoundKey): Date | null {
  const ends = [key.expiresAt, endsAt].filter((end) => end !== null)
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
}

/** The key as the gateway gets it; null for an unknown or expired secret. */
export function knownKeyOf(found: FoundKey | undefined, now: Date): KnownKey | null {
  if (found === undefined) return null
  const end = endOf(found)
  if (end !== null && end <= now) return null
  const { id: keyId, userId, tier, customLimits } = found.key
  return { keyId, userId, tier, customLimits, endsAt: end?.toISOString() ?? null }
}
