import { createHash } from 'node:crypto'
import { maxMemories } from '@parley/contracts'
import {
  type AccountDecision,
  type Act,
  accountOf,
  acted,
  countOf,
  deletedOf,
  isRestorable,
  without,
} from './account.ts'
import type { Account } from './store/documents.ts'

/** The outcome of one entry: stored, already stored, skipped because the user deleted it, or over the limit. */
export type ImportedAs = 'imported' | 'known' | 'removed' | 'full'

/** An entry of a file. */
export interface ImportEntry {
  /** The key of its text (`textKey`). */
  readonly key: string
  /** The id in the file; it may belong to another owner's memory. */
  readonly fileId: string | undefined
  /** The id of the memory if it is new (`importedId`). */
  readonly id: string
}

/** The result of an import. */
export interface ImportDecision {
  /** One per entry, in order. */
  readonly outcomes: readonly ImportedAs[]
  /** Ids of entries whose texts must be written, including those that an interrupted import may lack. */
  readonly toWrite: ReadonlySet<string>
  /** Suggestions of the same texts, which the import decides. */
  readonly replaced: readonly string[]
}

/** The id of an imported memory: deterministic, and unique to the owner. @param mark the id in the file, else the key of the text */
export const importedId = (ownerId: string, mark: string): string =>
  createHash('sha256').update(`${ownerId}\n${mark}`).digest('base64url').slice(0, 32)

/**
 * Stores the entries of a file that are new by id and by text. Memories edited since stay unchanged; deleted and forgotten ones are skipped unless
 * `includeRemoved`.
 */
export function importMemories(
  found: Account | undefined,
  { ownerId, at }: Act,
  entries: readonly ImportEntry[],
  includeRemoved: boolean,
): AccountDecision<ImportDecision> {
  const account = accountOf(found, ownerId)
  const draft = draftOf(account, at)
  const outcomes = entries.map((entry) => draft.take(entry, includeRemoved))
  const { stored, deleted, back, replaced, toWrite } = draft
  const result = { outcomes, toWrite, replaced: [...replaced.values()] }
  const count = outcomes.filter((outcome) => outcome === 'imported').length
  if (count === 0) return { result }
  const next = {
    ...account,
    stored,
    deleted,
    pending: without(account.pending, [...replaced.keys()]),
    forgotten: account.forgotten.filter((id) => !back.has(id)),
    activity: acted(account, at, 'remembered', null, count),
  }
  return { result, next }
}

/** A mutable draft of an account, to which entries are added one by one. */
function draftOf(account: Account, at: Date) {
  const stored: Record<string, string> = { ...account.stored }
  const storedIds = new Set(Object.values(stored))
  const deleted = { ...account.deleted }
  const deletedByKey = new Map(Object.entries(deleted).map(([id, { key }]) => [key, id]))
  const forgotten = new Set(account.forgotten)
  /** Forgotten ids that are stored again. */
  const back = new Set<string>()
  const replaced = new Map<string, string>()
  const toWrite = new Set<string>()
  let room = maxMemories - countOf(stored)

  const store = (key: string, id: string): ImportedAs => {
    if (room === 0) return 'full'
    room -= 1
    stored[key] = id
    storedIds.add(id)
    const waiting = account.pending[key]
    if (waiting !== undefined) replaced.set(key, waiting)
    return 'imported'
  }
  /** Restores a deleted memory unchanged. */
  const restore = (id: string): ImportedAs => {
    const gone = deletedOf({ deleted }, id)
    if (gone === undefined || !isRestorable(gone, at)) return 'removed'
    if (stored[gone.key] !== undefined) return 'known'
    const outcome = store(gone.key, id)
    if (outcome === 'imported') delete deleted[id]
    return outcome
  }
  const take = ({ key, fileId, id }: ImportEntry, includeRemoved: boolean): ImportedAs => {
    const ids = fileId === undefined ? [id] : [fileId, id]
    const known = storedIds.has(id) || stored[key] === id
    if (known) toWrite.add(id)
    if (known || stored[key] !== undefined || ids.some((each) => storedIds.has(each))) return 'known'
    const deletedId = ids.find((each) => Object.hasOwn(deleted, each)) ?? deletedByKey.get(key)
    if (deletedId !== undefined) return includeRemoved ? restore(deletedId) : 'removed'
    const past = ids.filter((each) => forgotten.has(each))
    if (past.length > 0 && !includeRemoved) return 'removed'
    const outcome = store(key, id)
    if (outcome !== 'imported') return outcome
    for (const each of past) back.add(each)
    toWrite.add(id)
    return outcome
  }
  return { stored, deleted, back, replaced, toWrite, take }
}
