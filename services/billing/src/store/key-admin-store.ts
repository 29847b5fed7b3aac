import type { KeyLimits, KeyTier } from '@parley/contracts'
import type { AdminAct, Page, UndoingAct } from '@parley/kit'
import type { FoundKey, StoredKey } from '../keys/key.ts'

/** Filters of an admin's list of keys: by user, by tier, or by a text in their label, id, owner's id or the visible part of the secret. */
export interface KeyFilter {
  readonly query?: string | undefined
  /** Further users whose keys match the text. */
  readonly owners?: readonly string[] | undefined
  readonly userId?: string | undefined
  readonly tier?: KeyTier | undefined
}

/** A key's new tier. */
export interface TierChange {
  readonly tier: KeyTier
  /** For tier 5 only; omitted means unchanged. */
  readonly customLimits?: KeyLimits | undefined
  /** The expected version; otherwise the change is refused. */
  readonly version?: number | undefined
}

/** The fields of a key that depend on its tier. */
export type TierState = Pick<StoredKey, 'tier' | 'customLimits'>

/** The result: `no_limits` for tier 5 without limits. A conflict has the current key. */
export type TierOutcome =
  | { readonly outcome: 'changed' | 'conflict'; readonly key: StoredKey }
  | { readonly outcome: 'unknown' | 'no_limits' }

/** All users' API keys. Each act is written together with its event, which contains no secret. */
export interface KeyAdminStore {
  /** Ids of all users with a key. */
  owners(): Promise<readonly string[]>
  /** Labels of these keys, by id; unknown ones are missing. */
  labelsOf(ids: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Newest first. */
  list(page: Page, filter: KeyFilter): Promise<readonly StoredKey[]>
  /** Looks up a key by the hash of its secret in hex; the look-up itself is published, too. */
  verify(hash: string, act: AdminAct): Promise<FoundKey | undefined>
  setTier(id: string, change: TierChange, act: AdminAct): Promise<TierOutcome>
  /** Undoes a change of tier, once. @throws AppError conflict when the tier has changed since */
  undoTier(id: string, change: { before: TierState; after: TierState }, act: UndoingAct): Promise<StoredKey>
  /** Removes a key with its secrets; undefined for an unknown key. */
  revoke(id: string, act: AdminAct): Promise<StoredKey | undefined>
  /** Resets the usage of a key; undefined for an unknown key. The owner's charges stay in receipts and usage. */
  resetUsage(id: string, act: AdminAct): Promise<StoredKey | undefined>
  /** Resets the usage of all keys. Resolves to the number of keys that had any. */
  resetAllUsage(act: AdminAct): Promise<number>
}
