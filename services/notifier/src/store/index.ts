import { fileURLToPath } from 'node:url'
import { migrate, openPostgres } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createDeliveryStore, type NotifierTables } from './delivery-store.ts'

/** What notifier keeps, over one pool. */
export type NotifierStores = ReturnType<typeof openNotifierStores>

const schema = 'notifier'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Notifier's stores in PostgreSQL; connects on demand. */
export function openNotifierStores({ url, log }: { readonly url: string; readonly log: Logger }) {
  const { db, ping, close } = openPostgres<NotifierTables>({ url, schema, log, max: 4 })
  return {
    deliveries: createDeliveryStore(db),
    /** Rejects when the database cannot be reached. */
    ping,
    /** Brings the tables up to date; safe from several replicas at once. */
    migrate: () => migrate({ url, schema, dir, log }),
    close,
  }
}
