import type { Credits } from '@parley/contracts'
import { type AdminAct, notFound } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import { type Account, balanceOf, inPresentMonth, type PlanTerms } from '../credits/account.ts'
import { decideAssignment, decideGrant, grantIdsOf } from '../credits/admin.ts'
import { monthStart } from '../credits/months.ts'
import { type WarningState, warningStateOf } from '../credits/warning.ts'
import type { RunAct } from './acts.ts'
import { accountColumns } from './books.ts'
import type { BillingDatabase } from './schema.ts'

/** A user's plan and credits in the current month. */
export interface CreditAccount extends Pick<Credits, 'plan' | 'remaining' | 'held' | 'used'> {
  readonly userId: string
  readonly periodEnd: Date
  readonly warning: WarningState
}

/**
 * Users' plans and credits. An account is created on first use, with the default plan. A month ends in the same atomic act that next
 * changes the account: its remaining credits lapse, the plan's credits are renewed, granted credits stay. Reading changes nothing,
 * takes no locks, and shows the current month even before the next act. Changes by admins are written together with
 * their event.
 */
export const createAccountStore = (db: Kysely<BillingDatabase>, run: RunAct) => ({
  /** Creates the account if it does not exist, and starts its current month. False for an erased user. */
  ensure: (userId: string): Promise<boolean> =>
    run({
      ...{ userId, makesAccount: true, otherwise: false },
      decide: (found) => ({ ...inPresentMonth(found), events: [], outcome: true }),
    }),

  /** The account, or what it will be once it is created. @throws AppError not_found for an erased user */
  async read(userId: string): Promise<CreditAccount> {
    const [known] = await readAccounts(db, [userId])
    if (known !== undefined) return toCredits(known)
    const { rows } = await sql<CreditAccount['plan'] & { readonly now: Date }>`
      select id, name, description, monthly_credits as "monthlyCredits", now() as now
      from plans join default_plan on plan_id = id
      where not exists (select from erased_users where id_hash = user_hash(${userId}))`.execute(db)
    const [first] = rows
    if (first === undefined) throw notFound('This account no longer exists.')
    const { now, ...plan } = first
    const unused = { held: 0, used: 0, warning: { usagePercentage: 0, told: false, acknowledged: false } }
    return { userId, plan, remaining: plan.monthlyCredits, periodEnd: monthStart(now, 1), ...unused }
  },

  /** The existing accounts of these users, in no particular order. */
  readKnown: async (userIds: readonly string[]): Promise<readonly CreditAccount[]> =>
    (await readAccounts(db, userIds)).map(toCredits),

  /** Records that the user wants no more warnings this month; false for an erased user. */
  acknowledgeWarning: (userId: string): Promise<boolean> =>
    run({
      ...{ userId, makesAccount: true, otherwise: false },
      decide: (found) => {
        const { account, entries } = inPresentMonth(found)
        return { account: { ...account, acknowledgedPeriod: account.period }, entries, events: [], outcome: true }
      },
    }),

  /**
   * Adds credits that do not lapse with the month; false for an unknown user.
   * @param key of the admin for this grant, which may be repeated: a repeat within 30 days changes nothing
   * @throws AppError conflict when that key was used for another amount
   */
  grant: (userId: string, amount: number, act: AdminAct, key?: unknown): Promise<boolean> =>
    run<boolean>({
      ...{ userId, otherwise: false, ifHandled: true, ...grantIdsOf(key, act, userId, amount) },
      decide: (found) => decideGrant(found, amount, act),
    }),

  /**
   * Starts a full month of the plan immediately; keeps grants and running holds.
   * @param left the plan that the account must be on, when `act` undoes an assignment, which succeeds only once
   * @throws AppError conflict when it is on another one
   */
  assignPlan: (userId: string, planId: string, act: AdminAct, left?: string) =>
    run<'assigned' | 'unknown_user' | 'unknown_plan'>({
      ...{ userId, otherwise: 'unknown_user', ...(act.undoes && { eventId: `undo.${act.undoes}` }) },
      decide: (found) => decideAssignment(found, planId, act, left),
    }),

  /** Up to `limit` users on a plan, in no particular order. */
  async usersOn(planId: string, limit: number): Promise<readonly string[]> {
    const { rows } = await sql<{ id: string }>`
      select user_id as id from accounts where plan_id = ${planId} limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  },

  /** The users among these who are on a plan. */
  async membersOf(planId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await sql<{ id: string }>`
      select user_id as id from accounts where user_id = any(${[...userIds]}) and plan_id = ${planId}`.execute(db)
    return rows.map(({ id }) => id)
  },
})

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
