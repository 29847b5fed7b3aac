import { fileURLToPath } from 'node:url'
import { inspectPostgres, migrate, openPostgres } from '@parley/db'
import { createPgDocuments, preparePgDocuments } from '@parley/documents'
import { type Clock, type Logger, newId, type Stores, systemClock } from '@parley/kit'
import { cachedAccounts } from './cached-accounts.ts'
import { accountDocuments, erasedDocuments, memoryDocuments, vectorDocuments } from './documents.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import { createVectorStore, type VectorStore } from './vector-store.ts'

/** The stores of memory, on one engine. */
export interface MemoryStores extends Stores {
  readonly memories: MemoryStore
  readonly vectors: VectorStore
  /** Idempotent. */
  close(): Promise<void>
}

/** Options of the stores. */
export interface MemoryStoresOptions {
  readonly url: string
  readonly log: Logger
  /** The system's by default. */
  readonly now?: Clock
}

const schema = 'memory'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Opens the stores on PostgreSQL, in the schema `memory` of the database at `url`; connects lazily. */
export function openMemoryStores({ now = systemClock, ...options }: MemoryStoresOptions): MemoryStores {
  const { db, ping, close } = openPostgres<Record<string, never>>({ ...options, schema, max: 10 })
  const accounts = cachedAccounts(createPgDocuments(db, accountDocuments))
  const memories = createPgDocuments(db, memoryDocuments)
  const erased = createPgDocuments(db, erasedDocuments)
  const vectors = createVectorStore({ accounts, memories, vectors: createPgDocuments(db, vectorDocuments), now })
  return {
    memories: createMemoryStore({ accounts, memories, erased, vectors, now, newId }),
    vectors,
    async migrate() {
      await migrate({ ...options, schema, dir })
      await preparePgDocuments({ ...options, schema }, [
        accountDocuments,
        memoryDocuments,
        erasedDocuments,
        vectorDocuments,
      ])
    },
    ping,
    inspect: () => inspectPostgres({ ...options, schema, dir }),
    close,
  }
}
