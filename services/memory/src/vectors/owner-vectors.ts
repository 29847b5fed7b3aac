import { LRUCache } from 'lru-cache'
import type { Account } from '../store/documents.ts'
import type { VectorStore } from '../store/vector-store.ts'
import { type Vector, vectorOf } from './vector.ts'

interface Entry {
  /** The key of the embedded text. */
  readonly key: string
  /** Undefined for a memory without one, such as one with a secret. */
  readonly vector: Vector | undefined
}

/** An owner's vectors by memory id, at one version of the account. */
export interface OwnerVectors {
  readonly version: number
  readonly space: string
  readonly byId: ReadonlyMap<string, Entry>
}

/** The cache size in bytes, over all owners: one with the most memories, of the most dimensions, has to fit. */
const mostBytes = 96 * 1024 * 1024
const entryBytes = 200

/**
 * A cache of vectors by owner. Each entry belongs to a version of the account, which every look-up reads, so that edited and forgotten memories are
 * never found; after a change only new vectors are read. Concurrent reads of the same owner are coalesced.
 */
export function createOwnerVectors(store: Pick<VectorStore, 'read'>) {
  const kept = new LRUCache<string, OwnerVectors>({
    maxSize: mostBytes,
    sizeCalculation: ({ byId }) =>
      [...byId.values()].reduce((sum, { vector }) => sum + entryBytes + (vector?.byteLength ?? 0), entryBytes),
  })
  const reading = new Map<string, Promise<OwnerVectors>>()
  const read = async ({ doc, version }: AccountAt, space: string): Promise<OwnerVectors> => {
    const known = kept.get(doc.id)
    const before = known?.space === space ? known.byId : new Map<string, Entry>()
    const stale = new Set(doc.vectors.stale)
    const wanted = Object.entries(doc.stored).filter(([, id]) => !stale.has(id))
    const missing = wanted.filter(([key, id]) => before.get(id)?.key !== key).map(([, id]) => id)
    const found = new Map<string, Entry>()
    for await (const { id, key, data, ...own } of store.read(doc.id, missing))
      if (own.space === space) found.set(id, { key, vector: vectorOf(data) })
    const byId = new Map<string, Entry>()
    for (const [key, id] of wanted) {
      const entry = [before.get(id), found.get(id)].find((one) => one?.key === key)
      byId.set(id, entry ?? { key, vector: undefined })
    }
    const vectors = { version, space, byId }
    kept.set(doc.id, vectors)
    return vectors
  }
  return {
    /** The vectors of the account at this version; undefined when it has none. */
    async of(account: AccountAt): Promise<OwnerVectors | undefined> {
      const { doc, version } = account
      const { space } = doc.vectors
      if (space === null) {
        kept.delete(doc.id)
        return undefined
      }
      const known = kept.get(doc.id)
      if (known?.version === version && known.space === space) return known
      const under = reading.get(doc.id) ?? read(account, space).finally(() => reading.delete(doc.id))
      reading.set(doc.id, under)
      const vectors = await under
      // A coalesced read may be of another version: the caller matches vectors by id and key.
      return vectors.space === space ? vectors : undefined
    },
  }
}
interface AccountAt {
  readonly doc: Account
  readonly version: number
}

/** The cache of vectors. */
export type OwnerVectorsCache = ReturnType<typeof createOwnerVectors>
