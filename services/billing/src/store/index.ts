import { openPgStores, openPostgres } from '@parley/db'
import type { Logger } from '@parley/kit'
import type { OnCreditsChanged } from '../credits/account.ts'
import { createAccountStore } from './account-store.ts'
import { createActs } from './acts.ts'
import { createCreditStore } from './credit-store.ts'
import { createErasureStore } from './erasure-store.ts'
import { createExportStore } from './export-store.ts'
import { createKeyAdminStore } from './key-admin-store.ts'
import { createKeyStore } from './key-store.ts'
import { createMoneyStore } from './money-store.ts'
import { createPlanMoveStore } from './plan-move-store.ts'
import { createPlanStore } from './plan-store.ts'
import { createReceiptStore } from './receipt-store.ts'
import { createRequestCountStore } from './request-count-store.ts'
import type { BillingDatabase } from './schema.ts'
import { createUsageStore } from './usage-store.ts'

/** Billing's stores on one pool. */
export type BillingStores = ReturnType<typeof openBillingStores>

const schema = 'billing'
const migrations = new URL('../../migrations', import.meta.url)

/**
 * Billing's stores in PostgreSQL; connects on demand.
 * @param holdSeconds lifetime of a hold without renewal: a dead generation's credits are returned within a minute
 */
export function openBillingStores({ url, log }: { readonly url: string; readonly log: Logger }, holdSeconds = 50) {
  const { postgres, common } = openPgStores<BillingDatabase>({ url, schema, log, migrations })
  // A separate pool, so that waiting for locks takes no connection from other work.
  const forLockedAccounts = openPostgres<BillingDatabase>({ url, schema, log, max: 4 })
  let listener: OnCreditsChanged = () => undefined
  const onCreditsChanged: OnCreditsChanged = (userIds) => listener(userIds)
  const run = createActs(postgres, forLockedAccounts, onCreditsChanged)
  return {
    ...common,
    accounts: createAccountStore(postgres.db, run),
    credits: createCreditStore(postgres.db, run, holdSeconds),
    erasures: createErasureStore(postgres.db),
    exports: createExportStore(postgres.db),
    keys: createKeyStore(postgres.db),
    keyAdmin: createKeyAdminStore(postgres.db),
    money: createMoneyStore(postgres.db),
    plans: createPlanStore(postgres.db),
    planMoves: createPlanMoveStore(postgres.db, forLockedAccounts, onCreditsChanged),
    receipts: createReceiptStore(postgres.db),
    requests: createRequestCountStore(postgres.db),
    usage: createUsageStore(postgres.db),
    /** Calls a listener after every transaction of this process that changed credits or plans; there is none at first. */
    onCreditsChanged(next: OnCreditsChanged): void {
      listener = next
    },
    /** Idempotent. */
    async close(): Promise<void> {
      await Promise.all([common.close(), forLockedAccounts.close()])
    },
  }
}
