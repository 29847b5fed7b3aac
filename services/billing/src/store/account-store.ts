import type { AdminAct } from '@parley/kit'
import type { WarningState } from '../credits/warning.ts'

/** A user's plan and credits in the current month. */
export interface CreditAccount {
  readonly userId: string
  readonly plan: {
    readonly id: string
    readonly name: string
    readonly description: string
    readonly monthlyCredits: number
  }
  /** Spendable: the month's and the granted credits, without held ones. */
  readonly remaining: number
  readonly held: number
  /** Captured in this month. */
  readonly used: number
  readonly periodEnd: Date
  readonly warning: WarningState
}

/** The result of assigning a plan to a user. */
export type PlanAssignment = 'assigned' | 'unknown_user' | 'unknown_plan'

/**
 * Users' plans and credits. An account is created on first use, with the default plan. A month ends in the same atomic act that next
 * changes the account: its remaining credits lapse, the plan's credits are renewed, granted credits stay. Reading changes nothing,
 * takes no locks, and shows the current month even before the next act. Changes by admins are written together with
 * their event.
 */
export interface AccountStore {
  /** Creates the account if it does not exist, and starts its current month. False for an erased user. */
  ensure(userId: string): Promise<boolean>
  /** The account, or what it will be once it is created. @throws AppError not_found for an erased user */
  read(userId: string): Promise<CreditAccount>
  /** The existing accounts of these users, in no particular order. */
  readKnown(userIds: readonly string[]): Promise<readonly CreditAccount[]>
  /** Records that the user wants no more warnings this month; false for an erased user. */
  acknowledgeWarning(userId: string): Promise<boolean>
  /** Adds credits that do not lapse with the month; false for an unknown user. */
  grant(userId: string, amount: number, act: AdminAct): Promise<boolean>
  /**
   * Starts a full month of the plan immediately; keeps grants and running holds.
   * @param left the plan that the account must be on, when `act` undoes an assignment, which succeeds only once
   * @throws AppError conflict when it is on another one
   */
  assignPlan(userId: string, planId: string, act: AdminAct, left?: string): Promise<PlanAssignment>
  /** Up to `limit` users on a plan, in no particular order. */
  usersOn(planId: string, limit: number): Promise<readonly string[]>
  /** The users among these who are on a plan. */
  membersOf(planId: string, userIds: readonly string[]): Promise<readonly string[]>
}
