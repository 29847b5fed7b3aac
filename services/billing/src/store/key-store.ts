import type { FoundKey, SecretMark, StoredKey } from '../keys/key.ts'

/** What a user gives a new key. */
export interface NewKey {
  readonly id: string
  readonly userId: string
  readonly label: string
  readonly expiresAt: Date | null
  readonly secret: SecretMark
}

/** What a user may change of a key. */
export type KeyChange = Partial<Pick<StoredKey, 'label' | 'expiresAt'>>

/** Users' API keys. Of secrets only the hash is kept. A key is its owner's alone: to anybody else it is not there. Time is the database's. */
export interface KeyStore {
  /** `full` when the user has as many keys as anybody may, exactly, however many are made at once. @throws AppError not_found when the user was erased */
  create(key: NewKey): Promise<StoredKey | 'full'>
  /** Keys of a user, newest first. */
  listOf(userId: string): Promise<readonly StoredKey[]>
  /** Undefined when the user has no such key. */
  change(userId: string, id: string, change: KeyChange): Promise<StoredKey | undefined>
  /**
   * Gives a key another secret; those before end after the overlap, or sooner if a rotation before this one said so. `too_many` while so many
   * former secrets live on that no more may. Undefined when the user has no such key.
   */
  rotate(
    userId: string,
    id: string,
    secret: SecretMark,
    overlapMinutes: number,
  ): Promise<StoredKey | 'too_many' | undefined>
  /** Removes a key with its secrets; false when the user has no such key. */
  revoke(userId: string, id: string): Promise<boolean>
  /** The key of a secret, by its hash in hex, also of one that is over. */
  find(hash: string): Promise<FoundKey | undefined>
  /** Notes that keys are in use, where that was not noted within the last minute. */
  noteUsed(ids: readonly string[]): Promise<void>
}
