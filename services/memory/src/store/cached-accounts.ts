import type { Documents, Versioned } from '@parley/documents'
import { LRUCache } from 'lru-cache'
import { countOf } from '../account.ts'
import type { Account } from './documents.ts'

type Accounts = Documents<Account, 'tidying' | 'vectors_due'>

/** Entries of the lists in the cache, over all accounts; some 200 bytes each. */
const mostKept = 200_000
/** The entries that the rest of an account counts as: its settings, activity and statistics. */
const restOfAccount = 25

/**
 * Accounts as this process last read or wrote them. An account with thousands of memories has some hundred kilobytes, and each message needs it: only
 * its version is read until it has changed, so that no replica's change is missed.
 */
export function cachedAccounts(accounts: Accounts): Accounts {
  const kept = new LRUCache<string, Versioned<Account>>({
    maxSize: mostKept,
    sizeCalculation: ({ doc: { stored, pending, deleted, dismissed, forgotten, discarded } }) =>
      restOfAccount +
      countOf(stored) +
      countOf(pending) +
      countOf(deleted) +
      dismissed.length +
      forgotten.length +
      discarded.length,
  })
  const keep = <Found extends Versioned<Account> | undefined>(id: string, found: Found): Found => {
    if (found === undefined) kept.delete(id)
    else kept.set(id, { doc: found.doc, version: found.version })
    return found
  }
  return {
    ...accounts,
    async get(id) {
      const known = kept.get(id)
      if (known !== undefined && (await accounts.version(id)) === known.version) return known
      return keep(id, await accounts.get(id))
    },
    async insertOnce(docs, events) {
      const inserted = await accounts.insertOnce(docs, events)
      for (const each of inserted) keep(each.doc.id, each)
      return inserted
    },
    async replace(read, fields, events) {
      return keep(read.doc.id, await accounts.replace(read, fields, events))
    },
    async removeWhere(index, range, limit) {
      const removed = await accounts.removeWhere(index, range, limit)
      for (const id of range.equal ?? []) if (index === 'id') kept.delete(String(id))
      return removed
    },
  }
}
