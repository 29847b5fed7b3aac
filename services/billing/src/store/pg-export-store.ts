import { type Kysely, sql } from 'kysely'
import type { ExportStore, KeptEntry } from './export-store.ts'
import { readAccounts } from './pg-account-store.ts'
import type { BillingDatabase } from './schema.ts'

/** A user's stored data, in PostgreSQL. */
export const createPgExportStore = (db: Kysely<BillingDatabase>): ExportStore => ({
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
    const { rows } = await sql<KeptEntry>`
      select id, at, kind, amount, delta, balance_after as "balanceAfter", generation_id as "generationId",
        actor_id is not null as "byAdmin"
      from ledger where user_id = ${userId} and id > ${after} order by id limit ${limit}
    `.execute(db)
    return rows
  },
})
