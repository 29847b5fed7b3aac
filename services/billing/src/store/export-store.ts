import { type Kysely, sql } from 'kysely'
import type { Entry } from '../credits/account.ts'
import { readAccounts } from './account-store.ts'
import type { BillingDatabase } from './schema.ts'

/** A row of the ledger, without the acting admin. */
export interface ExportedEntry extends Pick<Entry, 'kind' | 'amount' | 'delta' | 'balanceAfter' | 'generationId'> {
  readonly id: number
  readonly at: Date
  readonly byAdmin: boolean
}

/** Everything stored about a user, for a data export. Reading changes nothing: it creates no account and starts no month. */
export const createExportStore = (db: Kysely<BillingDatabase>) => ({
  /** The balance, without references to other users; undefined for a user without an account. */
  async account(userId: string) {
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
  /** Rows of the user's ledger, oldest first. @param after `id` of the last row of the previous page; 0 for the first */
  async ledger(userId: string, after: number, limit: number): Promise<readonly ExportedEntry[]> {
    const { rows } = await sql<ExportedEntry>`
      select id, at, kind, amount, delta, balance_after as "balanceAfter", generation_id as "generationId",
        actor_id is not null as "byAdmin"
      from ledger where user_id = ${userId} and id > ${after} order by id limit ${limit}
    `.execute(db)
    return rows
  },
})
