import { fileURLToPath } from 'node:url'
import { inspectPostgres, migrate, openPostgres } from '@parley/db'
import { createPgDocuments, preparePgDocuments } from '@parley/documents'
import type { Logger, Stores } from '@parley/kit'
import { erasedOwners, shareCollections, shareLinks, snapshotPages, snapshots } from './documents.ts'
import { createShareStore, type ShareStore } from './share-store.ts'

/** The stores of share, on one engine. */
export interface ShareStores extends Stores {
  readonly shares: ShareStore
  /** Idempotent. */
  close(): Promise<void>
}

/** Options of the stores. */
export interface ShareStoresOptions {
  readonly url: string
  readonly log: Logger
}

const schema = 'share'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Opens the stores on PostgreSQL, in the schema `share` of the database at `url`; connects lazily. */
export function openShareStores(options: ShareStoresOptions): ShareStores {
  const { db, ping, close } = openPostgres<object>({ ...options, schema })
  return {
    shares: createShareStore({
      links: createPgDocuments(db, shareLinks),
      snapshots: createPgDocuments(db, snapshots),
      pages: createPgDocuments(db, snapshotPages),
      erased: createPgDocuments(db, erasedOwners),
    }),
    async migrate() {
      await migrate({ ...options, schema, dir })
      await preparePgDocuments({ ...options, schema }, shareCollections)
    },
    ping,
    inspect: () => inspectPostgres({ ...options, schema, dir }),
    close,
  }
}
