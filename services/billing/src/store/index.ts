import { fileURLToPath } from 'node:url'
import type { OutboxSource } from '@parley/bus'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import type { Logger, Stores } from '@parley/kit'
import type { OnCreditsChanged } from '../credits/account.ts'
import { type AccountStore, createAccountStore } from './account-store.ts'
import { createActs } from './acts.ts'
import { type CreditStore, createCreditStore } from './credit-store.ts'
import { createErasureStore, type ErasureStore } from './erasure-store.ts'
import { createExportStore, type ExportStore } from './export-store.ts'
import { createKeyAdminStore, type KeyAdminStore } from './key-admin-store.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { createMoneyStore, type MoneyStore } from './money-store.ts'
import { createPlanMoveStore, type PlanMoveStore } from './plan-move-store.ts'
import { createPlanStore, type PlanStore } from './plan-store.ts'
import { createReceiptStore, type ReceiptStore } from './receipt-store.ts'
import { createRequestCountStore, type RequestCountStore } from './request-count-store.ts'
import type { BillingDatabase } from './schema.ts'
import { createUsageStore, type UsageStore } from './usage-store.ts'

/** Billing's stores on one pool. */
export interface BillingStores extends Stores {
  readonly accounts: AccountStore
  readonly credits: CreditStore
  readonly erasures: ErasureStore
  readonly exports: ExportStore
  readonly keys: KeyStore
  readonly keyAdmin: KeyAdminStore
  readonly money: MoneyStore
  readonly plans: PlanStore
  readonly planMoves: PlanMoveStore
  readonly receipts: ReceiptStore
  readonly requests: RequestCountStore
  readonly usage: UsageStore
  /** Calls a listener after every transaction of this process that changed credits or plans; there is none at first. */
  onCreditsChanged(listener: OnCreditsChanged): void
  /** The outbox, for the relay. */
  readonly outbox: OutboxSource
  /** Idempotent. */
  close(): Promise<void>
}

/** The database, and the lifetime of holds. */
export interface BillingStoreOptions {
  readonly url: string
  readonly log: Logger
  /** Lifetime of a hold without renewal; 50 by default, so that a dead generation's credits are returned within a minute. */
  readonly holdSeconds?: number
}

const schema = 'billing'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Billing's stores in PostgreSQL; connects on demand. */
export function openBillingStores({ url, log, holdSeconds = 50 }: BillingStoreOptions): BillingStores {
  const postgres = openPostgres<BillingDatabase>({ url, schema, log })
  // A separate pool, so that waiting for locks takes no connection from other work.
  const forLockedAccounts = openPostgres<BillingDatabase>({ url, schema, log, max: 4 })
  let listener: OnCreditsChanged = () => undefined
  const onCreditsChanged: OnCreditsChanged = (userIds) => listener(userIds)
  const run = createActs(postgres, forLockedAccounts, onCreditsChanged)
  const outbox = openPgOutbox({ url, schema, log })
  return {
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
    onCreditsChanged(next) {
      listener = next
    },
    outbox,
    ping: () => postgres.ping(),
    inspect: () => inspectPostgres({ url, schema, dir }),
    migrate: () => migrate({ url, schema, dir, log }),
    async close() {
      await Promise.all([outbox.close(), postgres.close(), forLockedAccounts.close()])
    },
  }
}
