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

/** Accounts in PostgreSQL, read by a view and changed by the functions of the migrations. */
export function createPgAccountStore(db: Kysely<BillingDatabase>): AccountStore {
  return {
    async ensure(userId) {
      const making = () => sql`select from lock_account(${userId})`.execute(db).then(() => true)
      return await unlessErased(making, () => false)
    },
    async read(userId) {
      const [known] = await readAccounts(db, [userId])
      if (known !== undefined) return known
      const { rows } = await sql<AccountRow>`
        select ${userId}::text as user_id, id as plan_id, name as plan_name, description as plan_description,
          monthly_credits, monthly_credits as remaining, 0 as held, 0 as used, month_start(now(), 1) as period_end
        from plans join default_plan on plan_id = id
        where not exists (select from erased_users where id_hash = user_hash(${userId}))`.execute(db)
      const [first] = rows
      if (first === undefined) throw notFound('This account does not exist any more.')
      return toAccount(first)
    },
    readKnown: (userIds) => readAccounts(db, userIds),
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

/** Those that are there; one whose erasure has begun is not. */
async function readAccounts(db: Kysely<BillingDatabase>, userIds: readonly string[]): Promise<CreditAccount[]> {
  const { rows } = await sql<AccountRow>`
    select user_id, plan_id, plan_name, plan_description, monthly_credits, monthly + granted as remaining, used, period_end,
      (select coalesce(sum(from_monthly + from_granted), 0)::bigint from holds
        where holds.user_id = account.user_id and state = 'held') as held
    from accounts_now as account
    where user_id = any(${userIds}) and not exists (select from erased_users where id_hash = user_hash(user_id))
  `.execute(db)
  return rows.map(toAccount)
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
