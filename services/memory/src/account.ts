import { createHash } from 'node:crypto'
import { type MemoryAction, type MemoryCategory, maxMemories } from '@parley/contracts'
import { type Account, type Activity, type Deleted, newAccount, type StoredSettings } from './store/documents.ts'

/** How long deleted memories can be restored, in milliseconds. */
export const restorableMs = 30 * 24 * 60 * 60 * 1000
/** The limit of pending suggestions; beyond it new ones are dropped. */
export const mostPending = 500
const mostDismissed = 2_000
const mostDeleted = 5_000
const mostForgotten = 5_000
const mostDiscarded = 2 * mostDeleted
/** When discarded texts are deleted once more, in milliseconds after the act: other acts that were writing them have ended. */
const discardMs = 5 * 60 * 1000
const mostActivity = 20

/** A decision on an account: its result, and the next state; undefined leaves the account unchanged. */
export interface AccountDecision<Result> {
  readonly result: Result
  readonly next?: Account | undefined
}

/** The key of a text among its owner's: equal for texts that differ only in case, white space and final punctuation. */
export function textKey(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  const unmarked = plain.replace(/[.!。！؛]+$/u, '')
  return createHash('sha256')
    .update(unmarked === '' ? plain : unmarked)
    .digest('base64url')
    .slice(0, 22)
}

/** The account, or an empty one. */
export const accountOf = (account: Account | undefined, ownerId: string): Account => account ?? newAccount(ownerId)
const keyOfId = (ids: Readonly<Record<string, string>>, id: string): string | undefined =>
  Object.keys(ids).find((key) => ids[key] === id)
/** A record without some of its keys. */
export const without = <Value>(
  record: Readonly<Record<string, Value>>,
  keys: readonly string[],
): Record<string, Value> => {
  const left = { ...record }
  for (const key of keys) delete left[key]
  return left
}
/** The number of keys of a record. */
export const countOf = (record: object): number => Object.keys(record).length

/** The activity log with one more entry. */
export const acted = (
  account: Account,
  at: Date,
  action: MemoryAction,
  id: string | null,
  count = 1,
): readonly Activity[] => [{ at: at.toISOString(), action, id, count }, ...account.activity].slice(0, mostActivity)

/** The owner and time of an act. */
export interface Act {
  readonly ownerId: string
  readonly at: Date
}

export type Remembered =
  | { readonly kind: 'stored'; readonly id: string; readonly replaced: string | undefined }
  | { readonly kind: 'exists'; readonly id: string }
  | { readonly kind: 'full' }

/** Stores a text under a new id unless it is stored already. This also decides a suggestion of the same text. */
export function remember(
  found: Account | undefined,
  { ownerId, at }: Act,
  { key, id }: { readonly key: string; readonly id: string },
): AccountDecision<Remembered> {
  const account = accountOf(found, ownerId)
  const known = account.stored[key]
  if (known !== undefined) return { result: { kind: 'exists', id: known } }
  if (countOf(account.stored) >= maxMemories) return { result: { kind: 'full' } }
  const next = {
    ...account,
    stored: { ...account.stored, [key]: id },
    pending: without(account.pending, [key]),
    activity: acted(account, at, 'remembered', id),
  }
  return { result: { kind: 'stored', id, replaced: account.pending[key] }, next }
}

/** A candidate for a suggestion. */
export interface Candidate {
  readonly key: string
  readonly id: string
  /** Whether it replaces stored memories, one of which may have the same text. */
  readonly isMerge: boolean
}

/**
 * Adds suggestions, except for texts that are stored, pending or were dismissed. The result has the ids under which candidates are pending now: their own, or
 * the id of an earlier one of the same text, which a failure may have left without it.
 */
export function suggest(
  found: Account | undefined,
  { ownerId, at }: Act,
  candidates: readonly Candidate[],
): AccountDecision<ReadonlyMap<string, string>> {
  const account = accountOf(found, ownerId)
  const pending: Record<string, string> = { ...account.pending }
  const idsOfPending = new Map<string, string>()
  let added = 0
  let activity = account.activity
  for (const { key, id, isMerge } of candidates) {
    const earlier = pending[key]
    if (earlier !== undefined) idsOfPending.set(id, earlier)
    if ((key in account.stored && !isMerge) || earlier !== undefined || account.dismissed.includes(key)) continue
    if (countOf(pending) >= mostPending) break
    pending[key] = id
    idsOfPending.set(id, id)
    added += 1
    activity = acted({ ...account, activity }, at, 'suggested', id)
  }
  if (added === 0) return { result: idsOfPending }
  return { result: idsOfPending, next: { ...account, pending, seen: account.seen + added, activity } }
}

export type Approved =
  | { readonly kind: 'approved'; readonly id: string }
  /** The text is stored already, so the suggestion was removed. */
  | { readonly kind: 'exists'; readonly id: string }
  | { readonly kind: 'full' }
  | { readonly kind: 'unknown' }

/** The input of an approval. */
export interface Approval {
  readonly id: string
  /** The key of the edited text; undefined keeps the original. */
  readonly key?: string | undefined
  readonly category: MemoryCategory
  readonly merges: readonly string[]
}

/** Stores a suggestion; the memories that it merges are deleted, and can be restored. */
export function approve(
  account: Account | undefined,
  { at }: Pick<Act, 'at'>,
  { id, key: changed, category, merges }: Approval,
): AccountDecision<Approved> {
  const own = account && keyOfId(account.pending, id)
  if (account === undefined || own === undefined) return { result: { kind: 'unknown' } }
  const key = changed ?? own
  const merged = Object.keys(account.stored).filter((each) => merges.includes(account.stored[each] ?? ''))
  const room = maxMemories + merged.length - countOf(account.stored)
  const known = merged.includes(key) ? undefined : account.stored[key]
  if (known === undefined && room < 1) return { result: { kind: 'full' } }
  const decided = {
    ...account,
    pending: without(account.pending, [own]),
    approved: account.approved + 1,
    decided: counted(account, category, 'approved'),
    activity: acted(account, at, 'approved', known ?? id),
  }
  if (known !== undefined) return { result: { kind: 'exists', id: known }, next: decided }
  const next = deleteKeys(decided, merged, at, null)
  return { result: { kind: 'approved', id }, next: { ...next, stored: { ...next.stored, [key]: id } } }
}

function counted(account: Account, category: MemoryCategory, decision: 'approved' | 'rejected'): Account['decided'] {
  const so = account.decided[category] ?? { approved: 0, rejected: 0 }
  return { ...account.decided, [category]: { ...so, [decision]: so[decision] + 1 } }
}

/** Dismisses suggestions; they are not suggested again. The result has the ids that were pending. */
export function dismiss(
  account: Account | undefined,
  { at }: Pick<Act, 'at'>,
  some: readonly { readonly id: string; readonly category: MemoryCategory }[],
): AccountDecision<readonly string[]> {
  if (account === undefined) return { result: [] }
  let next = account
  const gone: string[] = []
  for (const { id, category } of some) {
    const key = keyOfId(next.pending, id)
    if (key === undefined) continue
    gone.push(id)
    next = {
      ...next,
      pending: without(next.pending, [key]),
      dismissed: [...next.dismissed, key].slice(-mostDismissed),
      rejected: next.rejected + 1,
      decided: counted(next, category, 'rejected'),
    }
  }
  if (gone.length === 0) return { result: gone }
  // Their texts are deleted, so the activity log only has their number.
  return { result: gone, next: { ...next, activity: acted(next, at, 'dismissed', null, gone.length) } }
}

/** Changes the text of a stored memory. */
export function edit(
  account: Account | undefined,
  { at }: Pick<Act, 'at'>,
  { id, key }: { readonly id: string; readonly key: string | undefined },
): AccountDecision<'edited' | 'unknown' | 'conflict'> {
  const own = account && keyOfId(account.stored, id)
  if (account === undefined || own === undefined) return { result: 'unknown' }
  if (key !== undefined && key !== own && key in account.stored) return { result: 'conflict' }
  const stored = key === undefined ? account.stored : { ...without(account.stored, [own]), [key]: id }
  return { result: 'edited', next: { ...account, stored, activity: acted(account, at, 'edited', id) } }
}

/** Moves stored memories to the deleted ones; beyond the limit the oldest are purged by the next `tidy`. */
function deleteKeys(account: Account, keys: readonly string[], at: Date, clear: string | null): Account {
  if (keys.length === 0) return account
  const deleted: Record<string, Deleted> = { ...account.deleted }
  for (const key of keys) {
    const id = account.stored[key]
    if (id !== undefined) deleted[id] = { key, at: at.toISOString(), clear }
  }
  const due = new Date(at.getTime() + restorableMs)
  const tidyAt = countOf(deleted) > mostDeleted ? at : (account.tidyAt ?? due)
  return { ...account, stored: without(account.stored, keys), deleted, tidyAt }
}

/** Soft-deletes a memory; false when it is not stored. */
export function remove(account: Account | undefined, { at }: Pick<Act, 'at'>, id: string): AccountDecision<boolean> {
  const key = account && keyOfId(account.stored, id)
  if (account === undefined || key === undefined) return { result: false }
  const next = deleteKeys(account, [key], at, null)
  return { result: true, next: { ...next, activity: acted(account, at, 'deleted', id) } }
}

/** A deleted memory. Its id may come from outside, and be a name that every object has. */
export const deletedOf = ({ deleted }: Pick<Account, 'deleted'>, id: string): Deleted | undefined =>
  Object.hasOwn(deleted, id) ? deleted[id] : undefined

const withForgotten = ({ forgotten }: Account, ids: readonly string[]): readonly string[] =>
  [...forgotten, ...ids].slice(-mostForgotten)

/** Removes a stored or deleted memory for good; false when there is none. */
export function forget(account: Account | undefined, id: string): AccountDecision<boolean> {
  const key = account && keyOfId(account.stored, id)
  if (account === undefined || (key === undefined && deletedOf(account, id) === undefined)) return { result: false }
  const stored = key === undefined ? account.stored : without(account.stored, [key])
  const activity = account.activity.filter((each) => each.id !== id)
  const forgotten = withForgotten(account, [id])
  return { result: true, next: { ...account, stored, deleted: without(account.deleted, [id]), forgotten, activity } }
}

/** Soft-deletes all memories. @param clear the id of this act, for undoing it */
export function clearAll(
  account: Account | undefined,
  { at }: Pick<Act, 'at'>,
  clear: string,
): AccountDecision<number> {
  const keys = Object.keys(account?.stored ?? {})
  if (account === undefined || keys.length === 0) return { result: 0 }
  const next = deleteKeys(account, keys, at, clear)
  const activity = acted(account, at, 'cleared', null, keys.length)
  return { result: keys.length, next: { ...next, lastClear: clear, activity } }
}

type Restored = 'restored' | 'unknown' | 'conflict' | 'full'

/** Restores a deleted memory. */
export function restore(account: Account | undefined, { at }: Pick<Act, 'at'>, id: string): AccountDecision<Restored> {
  const gone = account && deletedOf(account, id)
  if (account === undefined || gone === undefined || !isRestorable(gone, at)) return { result: 'unknown' }
  if (gone.key in account.stored) return { result: 'conflict' }
  if (countOf(account.stored) >= maxMemories) return { result: 'full' }
  const next = {
    ...account,
    stored: { ...account.stored, [gone.key]: id },
    deleted: without(account.deleted, [id]),
    activity: acted(account, at, 'restored', id),
  }
  return { result: 'restored', next }
}

/** Undoes the last clear, up to the limit of memories. */
export function restoreCleared(account: Account | undefined, { at }: Pick<Act, 'at'>): AccountDecision<number> {
  if (account === undefined || account.lastClear === null) return { result: 0 }
  const stored: Record<string, string> = { ...account.stored }
  const back: string[] = []
  let room = maxMemories - countOf(stored)
  for (const [id, gone] of Object.entries(account.deleted)) {
    if (room === 0 || gone.clear !== account.lastClear || !isRestorable(gone, at) || gone.key in stored) continue
    stored[gone.key] = id
    back.push(id)
    room -= 1
  }
  const next = { ...account, stored, deleted: without(account.deleted, back), lastClear: null }
  return { result: back.length, next: { ...next, activity: acted(account, at, 'restored', null, back.length) } }
}

/** Whether a deleted memory can still be restored. */
export const isRestorable = (gone: Deleted, at: Date): boolean => Date.parse(gone.at) > at.getTime() - restorableMs

const idsOf = ({ stored, pending, deleted }: Account): string[] => [
  ...Object.values(stored),
  ...Object.values(pending),
  ...Object.keys(deleted),
]

/** The account after an act, with the ids that left it marked as discarded; and these ids. */
export function withDiscarded(
  before: Account | undefined,
  after: Account,
  at: Date,
): { readonly next: Account; readonly left: readonly string[] } {
  const { stored, pending, deleted, tidyAt } = after
  const isUnchanged = before?.stored === stored && before.pending === pending && before.deleted === deleted
  if (before === undefined || isUnchanged) return { next: after, left: [] }
  const listed = new Set(idsOf(after))
  const left = idsOf(before).filter((id) => !listed.has(id))
  // An import may have listed an id again.
  const discarded = [...after.discarded, ...left].filter((id) => !listed.has(id)).slice(-mostDiscarded)
  const due = new Date(at.getTime() + discardMs)
  const isSooner = discarded.length > 0 && (tidyAt === null || due < tidyAt)
  return { next: { ...after, discarded, tidyAt: isSooner ? due : tidyAt }, left }
}

/**
 * Purges memories that can no longer be restored, and the oldest beyond the limit.
 * @param deleted discarded ids whose texts have been deleted once more
 */
export function tidy(
  account: Account | undefined,
  { at }: Pick<Act, 'at'>,
  deleted: readonly string[] = [],
): AccountDecision<void> {
  if (account === undefined) return { result: undefined }
  const newestFirst = Object.entries(account.deleted).sort(([, one], [, other]) => (one.at < other.at ? 1 : -1))
  const kept = newestFirst.slice(0, mostDeleted).filter(([, gone]) => isRestorable(gone, at))
  const keptIds = new Set(kept.map(([id]) => id))
  const over = Object.keys(account.deleted).filter((id) => !keptIds.has(id))
  const oldest = kept.at(-1)?.[1]
  const tidyAt = oldest === undefined ? null : new Date(Date.parse(oldest.at) + restorableMs + 1)
  const activity = account.activity.filter(({ id }) => id === null || !over.includes(id))
  const forgotten = withForgotten(account, over)
  const again = new Set(deleted)
  const discarded = account.discarded.filter((id) => !again.has(id))
  const next = { ...account, deleted: Object.fromEntries(kept), forgotten, discarded, tidyAt, activity }
  return { result: undefined, next }
}

/** Changes the settings. */
export const choose = (
  found: Account | undefined,
  ownerId: string,
  change: (settings: StoredSettings) => StoredSettings,
): AccountDecision<StoredSettings> => {
  const account = accountOf(found, ownerId)
  const settings = change(account.settings)
  return { result: settings, next: { ...account, settings } }
}
