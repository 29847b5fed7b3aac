import type { FoundKey, SecretMark, StoredKey } from '../keys/key.ts'

/** A user's input for a new key. */
export interface NewKey {
  readonly id: string
  readonly userId: string
  readonly label: string
  readonly expiresAt: Date | null
  readonly secret: SecretMark
}

/** The fields of a key that its user may change. */
export type KeyChange = Partial<Pick<StoredKey, 'label' | 'expiresAt'>>

/** Users' API keys. Only hashes of secrets are stored. Other users' keys are treated as unknown. Time is the database's. */
export interface KeyStore {
  /** Resolves to `full` at the limit of keys per user, which is exact even for concurrent calls. @throws AppError not_found for an erased user */
  create(key: NewKey): Promise<StoredKey | 'full'>
  /** A user's keys, newest first. */
  listOf(userId: string): Promise<readonly StoredKey[]>
  /** Undefined when the user has no such key. */
  change(userId: string, id: string, change: KeyChange): Promise<StoredKey | undefined>
  /**
   * Replaces a key's secret; former ones expire after the overlap, or earlier by a previous rotation. `too_many` while too many former secrets
   * are still valid. Undefined when the user has no such key.
   */
  rotate(
    userId: string,
    id: string,
    secret: SecretMark,
    overlapMinutes: number,
  ): Promise<StoredKey | 'too_many' | undefined>
  /** Removes a key with its secrets; false when the user has no such key. */
  revoke(userId: string, id: string): Promise<boolean>
  /** Looks up a key by the hash of its secret in hex, including expired ones. */
  find(hash: string): Promise<FoundKey | undefined>
  /** Records that keys are in use, at most once a minute per key. */
  noteUsed(ids: readonly string[]): Promise<void>
}
