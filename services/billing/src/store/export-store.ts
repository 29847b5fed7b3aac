import { type Kysely, sql } from 'kysely'
import { readAccounts } from './account-store.ts'
import type { BillingDatabase } from './schema.ts'

/** A user's balance, without references to other users. */
export interface ExportedAccount {
  readonly plan: { readonly id: string; readonly name: string }
  readonly remaining: { readonly monthly: number; readonly granted: number }
  readonly usedThisMonth: number
  readonly monthStartedAt: Date
  readonly monthEndsAt: Date
}
/** A row of the ledger. `delta` is its effect on the balance. */
export interface ExportedEntry {
  readonly id: number
  readonly at: Date
  readonly kind: 'month' | 'lapse' | 'grant' | 'hold' | 'capture' | 'release'
  readonly amount: number
  readonly delta: number
  readonly balanceAfter: number
  readonly generationId: string | null
  readonly byAdmin: boolean
}

/** Everything stored about a user, for a data export. Reading changes nothing: it creates no account and starts no month. */
export interface ExportStore {
  /** Undefined for a user without an account. */
  account(userId: string): Promise<ExportedAccount | undefined>
  /** Rows of the user's ledger, oldest first. @param after `id` of the last row of the previous page; 0 for the first */
  ledger(userId: string, after: number, limit: number): Promise<readonly ExportedEntry[]>
}

/** A user's stored data, in PostgreSQL. */
export const createExportStore = (db: Kysely<BillingDatabase>): ExportStore => ({
  async account(userId) {
    const [known] = await readAccounts(db, [userId])
    if (known === undefined) return undefined
    const { account, plan } = known
    return {
      plan: { id: plan.id, name: plan.name },
      remaining: { monthly: account.monthly, granted: account.granted },
      usedThisMonth: account.used,
      monthStartedAt: account.periodStart,
      monthEndsAt: account.periodEnd,
    }
  },
  async ledger(userId, after, limit) {
    const { rows } = await sql<ExportedEntry>`
      select id, at, kind, amount, delta, balance_after as "balanceAfter", generation_id as "generationId",
        actor_id is not null as "byAdmin"
      from ledger where user_id = ${userId} and id > ${after} order by id limit ${limit}
    `.execute(db)
    return rows
  },
})
