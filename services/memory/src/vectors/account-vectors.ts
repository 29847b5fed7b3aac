import { type AccountDecision, countOf } from '../account.ts'
import { type Account, noVectors, type StoredSettings } from '../store/documents.ts'

/** So long an account is left to the replica that works on its vectors, in milliseconds. */
const leaseMs = 2 * 60 * 1000
/** Before the second try, and twice as long before each further one up to an hour. Milliseconds. */
const firstRetryMs = 30 * 1000
const longestRetryMs = 60 * 60 * 1000
/** After so many nothing is tried until a memory changes, or a look-up finds that vectors are made again. */
const mostTries = 8

/** A memory whose vector is stale, with the key of its text; null when the memory is stored no longer and has no vector any more. */
export interface Stale {
  readonly id: string
  readonly key: string | null
}

/** What is to be done for an account. */
export type VectorWork =
  | { readonly kind: 'nothing' }
  /** Vectors are not wanted: those that there are go. */
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'make'; readonly stale: readonly Stale[] }

const nothing = { result: { kind: 'nothing' } } as const

/** Whether memories of this user are looked up by meaning. With it off, no text of theirs goes to a model for that. */
export const wantsVectors = ({ enabled, semanticMemory }: StoredSettings): boolean => enabled && semanticMemory

/** An account after an act, with the vectors that it made stale, and those that are to go at once: some, or all of the owner's. */
export function withStaleVectors(
  before: Account | undefined,
  after: Account,
  at: Date,
): { readonly next: Account; readonly gone: readonly string[] | 'all' } {
  const had = before !== undefined && wantsVectors(before.settings)
  const anew = { ...after, vectors: noVectors, vectorsDueAt: at }
  if (!wantsVectors(after.settings)) return had ? { next: anew, gone: 'all' } : { next: after, gone: [] }
  if (!had) return { next: anew, gone: [] }
  if (after.stored === before.stored) return { next: after, gone: [] }
  const left = idsBeyond(before.stored, after.stored)
  const entered = idsBeyond(after.stored, before.stored)
  const stale = [...new Set([...after.vectors.stale, ...left, ...entered])]
  const vectors = { ...after.vectors, stale, tries: 0 }
  const gone = countOf(after.stored) === 0 ? 'all' : left
  // Never earlier than it was due: that would undo the pause after a failure.
  return { next: { ...after, vectors, vectorsDueAt: after.vectorsDueAt ?? at }, gone }
}

/** Ids that one record has under a key, and the other has not. */
const idsBeyond = (one: Account['stored'], other: Account['stored']): string[] =>
  Object.keys(one).flatMap((key) => (one[key] === undefined || one[key] === other[key] ? [] : [one[key]]))

/** Takes an account that is due. @param space whose vectors are made now; null when no model makes any */
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

/** Notes what was done of the stale ones, as far as it still holds. @returns what is left to do */
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

/** Notes that all of an owner's vectors are gone, unless they are wanted again. */
export function settleUnwanted(account: Account | undefined): AccountDecision<void> {
  if (account === undefined || wantsVectors(account.settings)) return { result: undefined }
  return { result: undefined, next: { ...account, vectors: noVectors, vectorsDueAt: null } }
}

/** Notes a failure: it is tried again later, and in the end not by itself. */
export function postponeVectors(account: Account | undefined, at: Date): AccountDecision<void> {
  if (account === undefined) return { result: undefined }
  const tries = account.vectors.tries + 1
  const pauseMs = Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs)
  const vectorsDueAt = tries >= mostTries ? null : new Date(at.getTime() + pauseMs)
  return { result: undefined, next: { ...account, vectors: { ...account.vectors, tries }, vectorsDueAt } }
}

/** Whether vectors of this space are missing that nobody is going to make: of memories from before, of another model, or given up. */
export const lacksVectors = ({ settings, stored, vectors, vectorsDueAt }: Account, space: string): boolean =>
  wantsVectors(settings) &&
  vectorsDueAt === null &&
  (vectors.space !== space || vectors.stale.length > 0) &&
  countOf(stored) > 0

/** Has what is missing made. */
export function reviveVectors(account: Account | undefined, at: Date, space: string): AccountDecision<void> {
  if (account === undefined || !lacksVectors(account, space)) return { result: undefined }
  return { result: undefined, next: { ...account, vectors: { ...account.vectors, tries: 0 }, vectorsDueAt: at } }
}
