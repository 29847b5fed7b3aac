import { type Kysely, sql } from 'kysely'
import type { ExportStore, KeptEntry } from './export-store.ts'
import type { BillingDatabase } from './schema.ts'

interface AccountRow {
  readonly id: string
  readonly name: string
  readonly monthly: number
  readonly granted: number
  readonly used: number
  readonly period_start: Date
  readonly period_end: Date
}

/** What is kept of a user, in PostgreSQL. */
export const createPgExportStore = (db: Kysely<BillingDatabase>): ExportStore => ({
  async account(userId) {
    const { rows } = await sql<AccountRow>`
      select plan_id as id, plan_name as name, monthly, granted, used, period_start, period_end
      from accounts_now where user_id = ${userId}
    `.execute(db)
    const [row] = rows
    return (
      row && {
        plan: { id: row.id, name: row.name },
        remaining: { monthly: row.monthly, granted: row.granted },
        usedThisMonth: row.used,
        monthStartedAt: row.period_start,
        monthEndsAt: row.period_end,
      }
    )
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
