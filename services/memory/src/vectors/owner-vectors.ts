import { LRUCache } from 'lru-cache'
import type { Account } from '../store/documents.ts'
import type { VectorStore } from '../store/vector-store.ts'
import { type Vector, vectorOf } from './vector.ts'

interface Entry {
  /** Of the text that it was made of. */
  readonly key: string
  /** Undefined for a memory that has none, as for one with a secret in it. */
  readonly vector: Vector | undefined
}

/** An owner's vectors by the memories' ids, as the account was at a version. */
export interface OwnerVectors {
  readonly version: number
  readonly space: string
  readonly byId: ReadonlyMap<string, Entry>
}

/** Bytes of vectors that are kept in memory at most, of all owners. */
const mostBytes = 64 * 1024 * 1024
const entryBytes = 200

/**
 * Vectors as they are compared. What is kept belongs to a version of the account, which is asked for each time, so nothing that was edited or forgotten is
 * found; after a change only what is new is read. Two who ask for the same owner share one reading.
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
    /** The vectors of an account as it stands; undefined when it has none. */
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
      // Another's reading may be that of another version: what is compared is looked up by id and key.
      return vectors.space === space ? vectors : undefined
    },
  }
}
interface AccountAt {
  readonly doc: Account
  readonly version: number
}

/** Vectors of owners, kept in memory. */
export type OwnerVectorsCache = ReturnType<typeof createOwnerVectors>
