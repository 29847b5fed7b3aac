import { inspectMongo, migrateMongo, openMongo } from '@parley/db/mongo'
import { createMongoDocuments, mongoDocumentsStep } from '@parley/documents/mongo'
import { newId, systemClock } from '@parley/kit'
import { accountDocuments, erasedDocuments, memoryDocuments } from './documents.ts'
import type { MemoryStores, MemoryStoresOptions } from './index.ts'
import { createMemoryStore } from './memory-store.ts'

const steps = [mongoDocumentsStep('0001_memories', [accountDocuments, memoryDocuments, erasedDocuments])]

/** Opens the stores on MongoDB, in the database that `url` names; connects in the background, as often as it takes. */
export function openMongoMemoryStores({ now = systemClock, ...options }: MemoryStoresOptions): MemoryStores {
  const database = openMongo(options)
  const accounts = createMongoDocuments(database, accountDocuments)
  const memories = createMongoDocuments(database, memoryDocuments)
  const erased = createMongoDocuments(database, erasedDocuments)
  return {
    memories: createMemoryStore({ accounts, memories, erased, now, newId }),
    migrate: () => migrateMongo({ ...options, steps }),
    ping: database.ping,
    inspect: () => inspectMongo(database, steps),
    close: () => database.close(),
  }
}
