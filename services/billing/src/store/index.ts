import { fileURLToPath } from 'node:url'
import type { OutboxSource } from '@parley/bus'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import type { Logger, StoreReport } from '@parley/kit'
import type { AccountStore } from './account-store.ts'
import type { CreditStore } from './credit-store.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { ExportStore } from './export-store.ts'
import type { KeyAdminStore } from './key-admin-store.ts'
import type { KeyStore } from './key-store.ts'
import type { MoneyStore } from './money-store.ts'
import { createPgAccountStore } from './pg-account-store.ts'
import { createPgActs } from './pg-acts.ts'
import { createPgCreditStore } from './pg-credit-store.ts'
import { createPgErasureStore } from './pg-erasure-store.ts'
import { createPgExportStore } from './pg-export-store.ts'
import { createPgKeyAdminStore } from './pg-key-admin-store.ts'
import { createPgKeyStore } from './pg-key-store.ts'
import { createPgMoneyStore } from './pg-money-store.ts'
import { createPgPlanMoveStore } from './pg-plan-move-store.ts'
import { createPgPlanStore } from './pg-plan-store.ts'
import { createPgReceiptStore } from './pg-receipt-store.ts'
import { createPgRequestCountStore } from './pg-request-count-store.ts'
import { createPgUsageStore } from './pg-usage-store.ts'
import type { PlanMoveStore } from './plan-move-store.ts'
import type { PlanStore } from './plan-store.ts'
import type { ReceiptStore } from './receipt-store.ts'
import type { RequestCountStore } from './request-count-store.ts'
import type { BillingDatabase } from './schema.ts'
import type { UsageStore } from './usage-store.ts'

/** Billing's stores on one pool. */
export interface BillingStores {
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
  /** The outbox, for the relay. */
  readonly outbox: OutboxSource
  /** Rejects when the database is unavailable. */
  ping(): Promise<void>
  /** The server's version, and pending migrations. */
  inspect(): Promise<StoreReport>
  /** Migrates the tables; safe for concurrent replicas. */
  migrate(): Promise<void>
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
  const run = createPgActs(postgres, forLockedAccounts)
  const outbox = openPgOutbox({ url, schema, log })
  return {
    accounts: createPgAccountStore(postgres.db, run),
    credits: createPgCreditStore(postgres.db, run, holdSeconds),
    erasures: createPgErasureStore(postgres.db),
    exports: createPgExportStore(postgres.db),
    keys: createPgKeyStore(postgres.db),
    keyAdmin: createPgKeyAdminStore(postgres.db),
    money: createPgMoneyStore(postgres.db),
    plans: createPgPlanStore(postgres.db),
    planMoves: createPgPlanMoveStore(postgres.db, forLockedAccounts),
    receipts: createPgReceiptStore(postgres.db),
    requests: createPgRequestCountStore(postgres.db),
    usage: createPgUsageStore(postgres.db),
    outbox,
    ping: () => postgres.ping(),
    inspect: () => inspectPostgres({ url, schema, dir }),
    migrate: () => migrate({ url, schema, dir, log }),
    async close() {
      await Promise.all([outbox.close(), postgres.close(), forLockedAccounts.close()])
    },
  }
}
