import { adminActed } from '@parley/bus'
import type { Event } from '@parley/contracts'
import type { AdminAct } from '@parley/kit'
import { type Books, type Found, inPresentMonth, startMonth } from './account.ts'

/** All users of a plan on their way to another, at the wish of an admin. */
export interface PlanMove {
  readonly from: { readonly id: string; readonly name: string }
  readonly to: string
  /** Users so far. */
  readonly moved: number
  readonly act: AdminAct
}

/** Puts an account on the other plan as an assignment does; undefined when it has left the first one meanwhile. */
export function decideMove(found: Omit<Found, 'hold'>, { from, to, act }: PlanMove): Books | undefined {
  const { account, plans, now } = found
  if (account.planId !== from.id) return undefined
  return startMonth(inPresentMonth(found), plans, { planId: to, anchor: now, now, actorId: act.actorId })
}

/** What the audit log has of it: one entry, which names no users, so that nothing could take it back. */
export const movedEvent = ({ from, to, moved, act }: PlanMove): Event =>
  adminActed('billing.admin-acted', act, {
    action: 'plan.users-moved',
    target: from.id,
    targetName: from.name,
    before: { planId: from.id },
    after: { planId: to, users: moved },
  })
