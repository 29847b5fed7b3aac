import { fileURLToPath } from 'node:url'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createDeliveryStore, type NotifierTables } from './delivery-store.ts'
import { createErasureStore } from './erasure-store.ts'
import { createMailHistory } from './mail-history.ts'

/** What notifier keeps, over one pool. */
export type NotifierStores = ReturnType<typeof openNotifierStores>

const schema = 'notifier'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Notifier's stores in PostgreSQL; connects on demand. */
export function openNotifierStores({ url, log }: { readonly url: string; readonly log: Logger }) {
  const postgres = openPostgres<NotifierTables>({ url, schema, log, max: 4 })
  const outbox = openPgOutbox({ url, schema, log })
  return {
    deliveries: createDeliveryStore(postgres.db),
    erasures: createErasureStore(postgres.db),
    history: createMailHistory(postgres.db),
    /** Events written with the state, for the relay. */
    outbox,
    /** Rejects when the database cannot be reached. */
    ping: postgres.ping,
    inspect: () => inspectPostgres({ url, schema, dir }),
    /** Brings the tables up to date; safe from several replicas at once. */
    migrate: () => migrate({ url, schema, dir, log }),
    async close() {
      await Promise.all([outbox.close(), postgres.close()])
    },
  }
}
