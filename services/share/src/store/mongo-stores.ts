import { inspectMongo, migrateMongo, openMongo } from '@parley/db/mongo'
import { createMongoDocuments, mongoDocumentsStep } from '@parley/documents/mongo'
import { erasedOwners, shareCollections, shareLinks, snapshotPages, snapshots } from './documents.ts'
import type { ShareStores, ShareStoresOptions } from './index.ts'
import { createShareStore } from './share-store.ts'

const steps = [mongoDocumentsStep('0001_documents', shareCollections)]

/** Opens the stores on MongoDB, in the database that `url` names; connects in the background and retries until it succeeds. */
export function openMongoShareStores(options: ShareStoresOptions): ShareStores {
  const database = openMongo(options)
  return {
    shares: createShareStore({
      links: createMongoDocuments(database, shareLinks),
      snapshots: createMongoDocuments(database, snapshots),
      pages: createMongoDocuments(database, snapshotPages),
      erased: createMongoDocuments(database, erasedOwners),
    }),
    migrate: () => migrateMongo({ ...options, steps }),
    ping: database.ping,
    inspect: () => inspectMongo(database, steps),
    close: () => database.close(),
  }
}
