import type { UsedMemory } from '@parley/contracts'
import { LRUCache } from 'lru-cache'
import { textKey } from '../account.ts'
import type { Account, MemoryDocument } from '../store/documents.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { wordsOf } from './words.ts'

/** An indexed memory. */
interface Entry extends UsedMemory {
  readonly key: string
  readonly words: ReadonlySet<string>
  /** Milliseconds. */
  readonly at: number
  /** What the weight of a shared word is multiplied with: less for a memory with many words. */
  readonly share: number
}

/** An inverted index of a user's memories at one version of the account. */
export interface OwnerIndex {
  readonly version: number
  /** The list of the account that this is an index of. */
  readonly stored: Account['stored']
  /** Latest first. */
  readonly entries: readonly Entry[]
  /** The places among the entries of those that have a word. */
  readonly byWord: ReadonlyMap<string, readonly number[]>
}

/** The cache size in bytes, over all users, and what about a memory and each of its words take of it. */
const mostBytes = 96 * 1024 * 1024
const entryBytes = 200
const wordBytes = 64
/** Up to this many missing memories are read one by one; beyond that, the whole list. */
const readSingly = 20

function entryOf({ id, text, updatedAt }: MemoryDocument): Entry {
  const words = wordsOf(text)
  const share = 1 / Math.sqrt(Math.max(1, words.size))
  return { id, text, key: textKey(text), words, at: updatedAt.getTime(), share }
}

/**
 * A cache of inverted indexes by user. Each belongs to a version of the account, which every look-up reads, so that edited and forgotten memories are
 * never found; after a change only new memories are read.
 */
export function createMemoryIndex(store: Pick<MemoryStore, 'account' | 'find' | 'all'>) {
  const kept = new LRUCache<string, OwnerIndex>({
    maxSize: mostBytes,
    sizeCalculation: ({ entries }) =>
      entries.reduce((sum, { text, words }) => sum + entryBytes + 2 * text.length + wordBytes * words.size, entryBytes),
  })
  const read = async (account: Account, known: OwnerIndex | undefined): Promise<readonly Entry[]> => {
    const before = new Map(known?.entries.map((entry) => [entry.id, entry]))
    const wanted = Object.entries(account.stored)
    const unchanged = wanted.flatMap(([key, id]) => {
      const entry = before.get(id)
      return entry?.key === key ? [entry] : []
    })
    const have = new Set(unchanged.map(({ id }) => id))
    const missing = wanted.map(([, id]) => id).filter((id) => !have.has(id))
    const found =
      missing.length > readSingly
        ? store.all(account.id, 'stored')
        : await Promise.all(missing.map((id) => store.find(account.id, id)))
    const entries = [...unchanged]
    for await (const doc of found) if (doc !== undefined && !have.has(doc.id)) entries.push(entryOf(doc))
    return entries.sort((one, other) => other.at - one.at)
  }
  return {
    /** The index of the account at this version. */
    async of({ doc, version }: { readonly doc: Account; readonly version: number }): Promise<OwnerIndex> {
      const known = kept.get(doc.id)
      if (known?.version === version) return known
      // Suggestions, settings and statistics change an account, but not what it stores.
      if (known?.stored === doc.stored && !Number.isNaN(known.version)) {
        const unchanged = { ...known, version }
        kept.set(doc.id, unchanged)
        return unchanged
      }
      const entries = await read(doc, known)
      const byWord = new Map<string, number[]>()
      for (const [place, { words }] of entries.entries()) {
        for (const word of words) {
          const places = byWord.get(word)
          if (places === undefined) byWord.set(word, [place])
          else places.push(place)
        }
      }
      // A text that is still being written makes the index incomplete: build it again next time.
      const isWhole =
        entries.length === Object.keys(doc.stored).length && entries.every(({ key, id }) => doc.stored[key] === id)
      const index = { version: isWhole ? version : Number.NaN, stored: doc.stored, entries, byWord }
      kept.set(doc.id, index)
      return index
    },
  }
}

/** The cache of indexes. */
export type MemoryIndex = ReturnType<typeof createMemoryIndex>
