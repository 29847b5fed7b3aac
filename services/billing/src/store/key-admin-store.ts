import type { KeyLimits, KeyTier } from '@parley/contracts'
import type { AdminAct, Page, UndoingAct } from '@parley/kit'
import type { FoundKey, StoredKey } from '../keys/key.ts'

/** Which keys an admin lists: of a user or a tier, and with a text in their label, id, owner's id or what is shown of the secret. */
export interface KeyFilter {
  readonly query?: string | undefined
  /** Users whose keys are meant by the text, too. */
  readonly owners?: readonly string[] | undefined
  readonly userId?: string | undefined
  readonly tier?: KeyTier | undefined
}

/** A tier for a key. */
export interface TierChange {
  readonly tier: KeyTier
  /** Of tier 5 and of no other; what the key has stays when it is left out. */
  readonly customLimits?: KeyLimits | undefined
  /** Refused when it is not the present one. */
  readonly version?: number | undefined
}

/** What a key has by its tier. */
export type TierState = Pick<StoredKey, 'tier' | 'customLimits'>

/** What became of it: `no_limits` for tier 5 without limits. A conflict carries the key as it stands. */
export type TierOutcome =
  | { readonly outcome: 'changed' | 'conflict'; readonly key: StoredKey }
  | { readonly outcome: 'unknown' | 'no_limits' }

/** Everybody's API keys. Each act is told by an event, written with it, in which there is no secret. */
export interface KeyAdminStore {
  /** Ids of all who have a key. */
  owners(): Promise<readonly string[]>
  /** What these are called, of those that there are. */
  labelsOf(ids: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Newest first. */
  list(page: Page, filter: KeyFilter): Promise<readonly StoredKey[]>
  /** The key of a secret, by its hash in hex; that an admin asked is told, too. */
  verify(hash: string, act: AdminAct): Promise<FoundKey | undefined>
  setTier(id: string, change: TierChange, act: AdminAct): Promise<TierOutcome>
  /** Takes a change of a tier back, once. @throws AppError conflict when the tier is not as the change left it */
  undoTier(id: string, change: { before: TierState; after: TierState }, act: UndoingAct): Promise<StoredKey>
  /** Removes a key with its secrets; undefined when there is no such key. */
  revoke(id: string, act: AdminAct): Promise<StoredKey | undefined>
  /** Sets the usage of a key to nothing; undefined when there is no such key. What its owner paid stays in receipts and usage. */
  resetUsage(id: string, act: AdminAct): Promise<StoredKey | undefined>
  /** The same of every key. Resolves to how many had been used. */
  resetAllUsage(act: AdminAct): Promise<number>
}
