import { openPgStores } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createDeliveryStore, type NotifierTables } from './delivery-store.ts'
import { createErasureStore } from './erasure-store.ts'
import { createMailHistory } from './mail-history.ts'

/** The stores of notifier, on one pool. */
export type NotifierStores = ReturnType<typeof openNotifierStores>

const migrations = new URL('../../migrations', import.meta.url)

/** Opens notifier's stores on PostgreSQL; connects lazily. */
export function openNotifierStores(options: { readonly url: string; readonly log: Logger }) {
  const { postgres, common } = openPgStores<NotifierTables>({ ...options, schema: 'notifier', migrations, max: 4 })
  return {
    ...common,
    deliveries: createDeliveryStore(postgres.db),
    erasures: createErasureStore(postgres.db),
    history: createMailHistory(postgres.db),
  }
}
