import { adminActed } from '@parley/bus'
import type { Event } from '@parley/contracts'
import type { AdminAct } from '@parley/kit'
import { type Books, type Found, inPresentMonth, startMonth } from './account.ts'

/** An admin's move of all users of a plan to another one, in progress. */
export interface PlanMove {
  readonly from: { readonly id: string; readonly name: string }
  readonly to: string
  /** Users moved so far. */
  readonly moved: number
  readonly act: AdminAct
}

/** Assigns the target plan to an account; undefined when it has left the source plan meanwhile. */
export function decideMove(found: Omit<Found, 'hold'>, { from, to, act }: PlanMove): Books | undefined {
  const { account, plans, now } = found
  if (account.planId !== from.id) return undefined
  return startMonth(inPresentMonth(found), plans, { planId: to, anchor: now, now, actorId: act.actorId })
}

/** The entry for the audit log. It does not name the users, so the move cannot be undone. */
export const movedEvent = ({ from, to, moved, act }: PlanMove): Event =>
  adminActed('billing.admin-acted', act, {
    action: 'plan.users-moved',
    target: from.id,
    targetName: from.name,
    before: { planId: from.id },
    after: { planId: to, users: moved },
  })
