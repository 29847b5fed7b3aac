import { fileURLToPath } from 'node:url'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createDeliveryStore, type NotifierTables } from './delivery-store.ts'
import { createErasureStore } from './erasure-store.ts'
import { createMailHistory } from './mail-history.ts'

/** The stores of notifier, on one pool. */
export type NotifierStores = ReturnType<typeof openNotifierStores>

const schema = 'notifier'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Opens notifier's stores on PostgreSQL; connects lazily. */
export function openNotifierStores({ url, log }: { readonly url: string; readonly log: Logger }) {
  const postgres = openPostgres<NotifierTables>({ url, schema, log, max: 4 })
  const outbox = openPgOutbox({ url, schema, log })
  return {
    deliveries: createDeliveryStore(postgres.db),
    erasures: createErasureStore(postgres.db),
    history: createMailHistory(postgres.db),
    /** Events written in the same transaction as the state, for the relay. */
    outbox,
    /** Rejects when the database cannot be reached. */
    ping: postgres.ping,
    inspect: () => inspectPostgres({ url, schema, dir }),
    /** Migrates the tables; safe to run on several replicas at once. */
    migrate: () => migrate({ url, schema, dir, log }),
    async close() {
      await Promise.all([outbox.close(), postgres.close()])
    },
  }
}
