import { adminActed } from '@parley/bus'
import { writeEvents } from '@parley/db'
import { notFound } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { AccountStore, CreditAccount, PlanAssignment } from './account-store.ts'
import { unlessErased } from './pg-erasure-store.ts'
import type { BillingDatabase } from './schema.ts'

interface AccountRow {
  readonly user_id: string
  readonly plan_id: string
  readonly plan_name: string
  readonly plan_description: string
  readonly monthly_credits: number
  readonly remaining: number
  readonly held: number
  readonly used: number
  readonly period_end: Date
}

/** Accounts in PostgreSQL, read and changed by the functions of the migrations. */
export function createPgAccountStore(db: Kysely<BillingDatabase>): AccountStore {
  return {
    async read(userId) {
      const reading = () => sql<AccountRow>`select * from read_account(${userId})`.execute(db)
      const { rows } = await unlessErased(reading, () => {
        throw notFound('This account does not exist any more.')
      })
      const row = rows[0]
      if (row === undefined) throw new Error('an account could not be made')
      return toAccount(row)
    },
    async readKnown(userIds) {
      // In one order for all callers, since reading locks each account.
      const reading = () =>
        sql<AccountRow>`
        select read.* from (
          select user_id from accounts where user_id = any(${userIds}) order by user_id
        ) as known cross join lateral read_account(known.user_id) as read`.execute(db)
      const found = await unlessErased<Awaited<ReturnType<typeof reading>> | undefined>(reading, () => undefined)
      // One of them was erased just now: of the others it is known all the same.
      return found === undefined ? await this.readKnown(userIds) : found.rows.map(toAccount)
    },
    grant: (userId, amount, act) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ known: boolean }>`
          select grant_credits(${userId}, ${amount}, ${act.actorId}) as known`.execute(tx)
        if (rows[0]?.known !== true) return false
        const change = { action: 'credits.granted', target: userId, before: null, after: { amount } }
        await writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
        return true
      }),
    assignPlan: (userId, planId, act) =>
      db.transaction().execute(async (tx) => {
        const account = await tx
          .selectFrom('accounts')
          .select('plan_id')
          .where('user_id', '=', userId)
          .forUpdate()
          .executeTakeFirst()
        const { rows } = await sql<{ outcome: PlanAssignment }>`
          select assign_plan(${userId}, ${planId}, ${act.actorId}) as outcome`.execute(tx)
        const outcome = rows[0]?.outcome ?? 'unknown_user'
        if (outcome !== 'assigned') return outcome
        const [before, after] = [{ planId: account?.plan_id ?? null }, { planId }]
        const change = { action: 'plan.assigned', target: userId, before, after }
        await writeEvents(tx, [adminActed('billing.admin-acted', act, change)])
        return outcome
      }),
  }
}

const toAccount = (row: AccountRow): CreditAccount => ({
  userId: row.user_id,
  plan: {
    id: row.plan_id,
    name: row.plan_name,
    description: row.plan_description,
    monthlyCredits: row.monthly_credits,
  },
  remaining: row.remaining,
  held: row.held,
  used: row.used,
  periodEnd: row.period_end,
})
