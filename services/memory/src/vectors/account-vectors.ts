import { type AccountDecision, countOf } from '../account.ts'
import { type Account, noVectors, type StoredSettings } from '../store/documents.ts'

/** The lease of the replica that works on an account's vectors, in milliseconds. */
const leaseMs = 2 * 60 * 1000
/** Exponential backoff between attempts, from half a minute up to an hour. Milliseconds. */
const firstRetryMs = 30 * 1000
const longestRetryMs = 60 * 60 * 1000
/** After this many failures nothing is tried until a memory changes, or a look-up shows that the model works again. */
const mostTries = 8

/** A memory with a stale vector, and the key of its text; null if the memory is no longer stored, so that the vector must be removed. */
export interface Stale {
  readonly id: string
  readonly key: string | null
}

/** The vector work of an account. */
export type VectorWork =
  | { readonly kind: 'nothing' }
  /** Vectors are off: remove the existing ones. */
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'make'; readonly stale: readonly Stale[] }

const nothing = { result: { kind: 'nothing' } } as const

/** Whether this user's memories are searched by meaning. If not, none of their texts is sent to an embedding model. */
export const wantsVectors = ({ enabled, semanticMemory }: StoredSettings): boolean => enabled && semanticMemory

/** The account after an act with its stale vectors marked, and the ids of the vectors to remove at once, or `all`. */
export function withStaleVectors(
  before: Account | undefined,
  after: Account,
  at: Date,
): { readonly next: Account; readonly gone: readonly string[] | 'all' } {
  const had = before !== undefined && wantsVectors(before.settings)
  const reset = { ...after, vectors: noVectors, vectorsDueAt: at }
  if (!wantsVectors(after.settings)) return had ? { next: reset, gone: 'all' } : { next: after, gone: [] }
  if (!had) return { next: reset, gone: [] }
  if (after.stored === before.stored) return { next: after, gone: [] }
  const left = idsBeyond(before.stored, after.stored)
  const entered = idsBeyond(after.stored, before.stored)
  const stale = [...new Set([...after.vectors.stale, ...left, ...entered])]
  const vectors = { ...after.vectors, stale, tries: 0 }
  const gone = countOf(after.stored) === 0 ? 'all' : left
  // Keep an existing due time: an earlier one would undo the backoff after a failure.
  return { next: { ...after, vectors, vectorsDueAt: after.vectorsDueAt ?? at }, gone }
}

/** Ids of keys whose id is missing or different in the other record. */
const idsBeyond = (one: Account['stored'], other: Account['stored']): string[] =>
  Object.keys(one).flatMap((key) => (one[key] === undefined || one[key] === other[key] ? [] : [one[key]]))

/** Leases a due account. @param space the current embedding model; null when there is none */
export function claimVectors(
  account: Account | undefined,
  at: Date,
  space: string | null,
): AccountDecision<VectorWork> {
  if (account?.vectorsDueAt == null || account.vectorsDueAt > at) return nothing
  if (space === null && wantsVectors(account.settings)) return { ...nothing, next: { ...account, vectorsDueAt: null } }
  const leased = { ...account, vectorsDueAt: new Date(at.getTime() + leaseMs) }
  if (space === null || !wantsVectors(account.settings)) return { result: { kind: 'unwanted' }, next: leased }
  const isOfSpace = account.vectors.space === space
  const vectors = isOfSpace ? account.vectors : { space, stale: Object.values(account.stored), tries: 0 }
  return { result: { kind: 'make', stale: staleOf(account, vectors.stale) }, next: { ...leased, vectors } }
}

/** Settles the finished stale vectors that are still valid. @returns the remaining work */
export function settleVectors(
  account: Account | undefined,
  at: Date,
  { space, done }: { readonly space: string; readonly done: readonly Stale[] },
): AccountDecision<VectorWork> {
  if (account === undefined || !wantsVectors(account.settings)) return { result: { kind: 'unwanted' } }
  if (account.vectors.space !== space) return nothing
  const stored = new Set(Object.values(account.stored))
  const holds = ({ id, key }: Stale): boolean => (key === null ? !stored.has(id) : account.stored[key] === id)
  const settled = new Set(done.filter(holds).map(({ id }) => id))
  const stale = account.vectors.stale.filter((id) => !settled.has(id))
  const vectorsDueAt = stale.length === 0 ? null : new Date(at.getTime() + leaseMs)
  const next = { ...account, vectors: { space, stale, tries: 0 }, vectorsDueAt }
  return { result: { kind: 'make', stale: staleOf(account, stale) }, next }
}

const staleOf = ({ stored }: Account, ids: readonly string[]): Stale[] => {
  const keys = new Map(Object.entries(stored).map(([key, id]) => [id, key]))
  return ids.map((id) => ({ id, key: keys.get(id) ?? null }))
}

/** Records that all of an owner's vectors were removed, unless they were turned on again. */
export function settleUnwanted(account: Account | undefined): AccountDecision<void> {
  if (account === undefined || wantsVectors(account.settings)) return { result: undefined }
  return { result: undefined, next: { ...account, vectors: noVectors, vectorsDueAt: null } }
}

/** Records a failure and schedules a retry, up to the limit of attempts. */
export function postponeVectors(account: Account | undefined, at: Date): AccountDecision<void> {
  if (account === undefined) return { result: undefined }
  const tries = account.vectors.tries + 1
  const pauseMs = Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs)
  const vectorsDueAt = tries >= mostTries ? null : new Date(at.getTime() + pauseMs)
  return { result: undefined, next: { ...account, vectors: { ...account.vectors, tries }, vectorsDueAt } }
}

/** Whether vectors of this space are missing without being scheduled: of older memories, of another model, or given up. */
export const lacksVectors = ({ settings, stored, vectors, vectorsDueAt }: Account, space: string): boolean =>
  wantsVectors(settings) &&
  vectorsDueAt === null &&
  (vectors.space !== space || vectors.stale.length > 0) &&
  countOf(stored) > 0

/** Schedules missing vectors. */
export function reviveVectors(account: Account | undefined, at: Date, space: string): AccountDecision<void> {
  if (account === undefined || !lacksVectors(account, space)) return { result: undefined }
  return { result: undefined, next: { ...account, vectors: { ...account.vectors, tries: 0 }, vectorsDueAt: at } }
}
