import type { AdminAct } from '@parley/kit'
import type { WarningState } from '../credits/warning.ts'

/** A user's plan and credits now, in the present month. */
export interface CreditAccount {
  readonly userId: string
  readonly plan: {
    readonly id: string
    readonly name: string
    readonly description: string
    readonly monthlyCredits: number
  }
  /** What may be spent: the month's and the granted credits, without what is held. */
  readonly remaining: number
  readonly held: number
  /** Captured in this month. */
  readonly used: number
  readonly periodEnd: Date
  readonly warning: WarningState
}

/** What became of the wish to put a user on a plan. */
export type PlanAssignment = 'assigned' | 'unknown_user' | 'unknown_plan'

/**
 * Users' plans and credits. An account is made on first use, on the default plan. A month that is over ends in the same atomic act
 * that next changes the account: what was left of it lapses, the plan's credits are there anew, granted credits stay. Reading changes
 * nothing, waits for nobody, and shows the month that has begun whether or not an act has come since. What an admin does is told by an
 * event, written with it.
 */
export interface AccountStore {
  /** Makes the account when it is not there, and begins its present month. False when its user was erased. */
  ensure(userId: string): Promise<boolean>
  /** The account, or what it will be once it is made. @throws AppError not_found when its user was erased */
  read(userId: string): Promise<CreditAccount>
  /** Those of the users that are known, in no order. */
  readKnown(userIds: readonly string[]): Promise<readonly CreditAccount[]>
  /** Notes that the user wants no more warnings of the present month; false when its user was erased. */
  acknowledgeWarning(userId: string): Promise<boolean>
  /** Adds credits that no month's end takes; false when the user is not known. */
  grant(userId: string, amount: number, act: AdminAct): Promise<boolean>
  /**
   * Starts a full month of the plan at once and keeps grants and running holds.
   * @param left the plan that the account has to be on, where `act` undoes an assignment; which it does once, and for nobody the second time
   * @throws AppError conflict when it is on another one
   */
  assignPlan(userId: string, planId: string, act: AdminAct, left?: string): Promise<PlanAssignment>
  /** Users on a plan, at most so many, in no order. */
  usersOn(planId: string, limit: number): Promise<readonly string[]>
  /** Those of some users who are on a plan. */
  membersOf(planId: string, userIds: readonly string[]): Promise<readonly string[]>
}
