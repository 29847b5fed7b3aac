import { notFound } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import { type Account, balanceOf, inPresentMonth, type PlanTerms } from '../credits/account.ts'
import { decideAssignment, decideGrant } from '../credits/admin.ts'
import { monthStart } from '../credits/months.ts'
import { warningStateOf } from '../credits/warning.ts'
import type { AccountStore, CreditAccount } from './account-store.ts'
import type { RunAct } from './pg-acts.ts'
import { accountColumns } from './pg-books.ts'
import type { BillingDatabase } from './schema.ts'

/** Accounts in PostgreSQL. */
export function createPgAccountStore(db: Kysely<BillingDatabase>, run: RunAct): AccountStore {
  return {
    ensure: (userId) =>
      run({
        ...{ userId, makesAccount: true, otherwise: false },
        decide: (found) => ({ ...inPresentMonth(found), events: [], outcome: true }),
      }),
    async read(userId) {
      const [known] = await readAccounts(db, [userId])
      if (known !== undefined) return toCredits(known)
      const { rows } = await sql<CreditAccount['plan'] & { readonly now: Date }>`
        select id, name, description, monthly_credits as "monthlyCredits", now() as now
        from plans join default_plan on plan_id = id
        where not exists (select from erased_users where id_hash = user_hash(${userId}))`.execute(db)
      const [first] = rows
      if (first === undefined) throw notFound('This account no longer exists.')
      const { now, ...plan } = first
      return {
        userId,
        plan,
        remaining: plan.monthlyCredits,
        held: 0,
        used: 0,
        periodEnd: monthStart(now, 1),
        warning: noWarning,
      }
    },
    readKnown: async (userIds) => (await readAccounts(db, userIds)).map(toCredits),
    acknowledgeWarning: (userId) =>
      run({
        ...{ userId, makesAccount: true, otherwise: false },
        decide: (found) => {
          const { account, entries } = inPresentMonth(found)
          return { account: { ...account, acknowledgedPeriod: account.period }, entries, events: [], outcome: true }
        },
      }),
    grant: (userId, amount, act) =>
      run<boolean>({ userId, otherwise: false, decide: (found) => decideGrant(found, amount, act) }),
    assignPlan: (userId, planId, act, left) =>
      run({
        ...{ userId, otherwise: 'unknown_user', ...(act.undoes && { eventId: `undo.${act.undoes}` }) },
        decide: (found) => decideAssignment(found, planId, act, left),
      }),
    async usersOn(planId, limit) {
      const { rows } = await sql<{ id: string }>`
        select user_id as id from accounts where plan_id = ${planId} limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    async membersOf(planId, userIds) {
      const { rows } = await sql<{ id: string }>`
        select user_id as id from accounts where user_id = any(${[...userIds]}) and plan_id = ${planId}`.execute(db)
      return rows.map(({ id }) => id)
    },
  }
}

const noWarning = { usagePercentage: 0, told: false, acknowledged: false }

/** An account in the current month, with its plan and held credits. */
interface ReadAccount {
  readonly account: Account
  readonly plan: CreditAccount['plan']
  readonly held: number
}

type AccountRow = Account &
  PlanTerms &
  Omit<CreditAccount['plan'], 'id'> & { readonly held: number; readonly now: Date }

/**
 * Reads accounts without locks or writes: a month that is over is shown as the one that the next act on the account will start.
 * An account that is being erased is omitted.
 */
export async function readAccounts(db: Kysely<BillingDatabase>, userIds: readonly string[]): Promise<ReadAccount[]> {
  const { rows } = await sql<AccountRow>`
    select ${sql.raw(accountColumns)}, name, description, monthly_credits as "monthlyCredits",
      requests_per_window as "requestsPerWindow", window_ms as "windowMs", now() as now,
      (select coalesce(sum(from_monthly + from_granted), 0)::bigint from holds
        where holds.user_id = accounts.user_id and state = 'held') as held
    from accounts join plans on plans.id = plan_id
    where user_id = any(${userIds}) and not exists (select from erased_users where id_hash = user_hash(user_id))
  `.execute(db)
  return rows.map(({ name, description, monthlyCredits, requestsPerWindow, windowMs, held, now, ...account }) => {
    const plans = new Map([[account.planId, { monthlyCredits, requestsPerWindow, windowMs }]])
    const plan = { id: account.planId, name, description, monthlyCredits }
    return { account: inPresentMonth({ account, plans, now }).account, plan, held }
  })
}

const toCredits = ({ account, plan, held }: ReadAccount): CreditAccount => ({
  userId: account.userId,
  plan,
  remaining: balanceOf(account),
  held,
  used: account.used,
  periodEnd: account.periodEnd,
  warning: warningStateOf(account),
})
