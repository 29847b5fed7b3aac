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

/** The cache size in bytes, over all owners. */
const mostBytes = 64 * 1024 * 1024
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
    const found = new Map((await store.read(doc.id, missing)).map((vector) => [vector.id, vector]))
    const byId = new Map<string, Entry>()
    for (const [key, id] of wanted) {
      const unchanged = before.get(id)
      const own = found.get(id)
      if (unchanged?.key === key) byId.set(id, unchanged)
      else byId.set(id, { key, vector: own?.key === key && own.space === space ? vectorOf(own.data) : undefined })
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
