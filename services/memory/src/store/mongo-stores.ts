import { inspectMongo, migrateMongo, openMongo } from '@parley/db/mongo'
import { createMongoDocuments, mongoDocumentsStep } from '@parley/documents/mongo'
import { newId, systemClock } from '@parley/kit'
import { cachedAccounts } from './cached-accounts.ts'
import { accountDocuments, erasedDocuments, memoryDocuments, vectorDocuments } from './documents.ts'
import type { MemoryStores, MemoryStoresOptions } from './index.ts'
import { createMemoryStore } from './memory-store.ts'
import { createVectorStore } from './vector-store.ts'

const steps = [
  mongoDocumentsStep('0001_memories', [accountDocuments, memoryDocuments, erasedDocuments]),
  mongoDocumentsStep('0002_vectors', [accountDocuments, vectorDocuments]),
]

/** Opens the stores on MongoDB, in the database that `url` names; connects in the background and retries until it succeeds. */
export function openMongoMemoryStores({ now = systemClock, ...options }: MemoryStoresOptions): MemoryStores {
  const database = openMongo(options)
  const accounts = cachedAccounts(createMongoDocuments(database, accountDocuments))
  const memories = createMongoDocuments(database, memoryDocuments)
  const erased = createMongoDocuments(database, erasedDocuments)
  const vectors = createVectorStore({
    accounts,
    memories,
    vectors: createMongoDocuments(database, vectorDocuments),
    now,
  })
  return {
    memories: createMemoryStore({ accounts, memories, erased, vectors, now, newId }),
    vectors,
    migrate: () => migrateMongo({ ...options, steps }),
    ping: database.ping,
    inspect: () => inspectMongo(database, steps),
    close: () => database.close(),
  }
}
