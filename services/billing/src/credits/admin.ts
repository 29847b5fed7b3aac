import { createHash } from 'node:crypto'
import { adminActed } from '@parley/bus'
import { type AdminAct, ensureUnchanged } from '@parley/kit'
import { type Decision, type Found, inPresentMonth, record, startMonth } from './account.ts'

/** Under the key that its admin gave it, a grant to a user has one amount and takes effect once. Undefined without a key. */
export function grantIdsOf(key: unknown, { actorId }: AdminAct, userId: string, amount: number) {
  if (key === undefined) return undefined
  const idOf = (...parts: readonly unknown[]): string =>
    `grant.${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
  return { eventId: idOf(actorId, key, userId, amount), idempotencyKey: idOf(actorId, key, userId) }
}

/** Adds credits that do not lapse with the month. */
export function decideGrant(found: Found, amount: number, act: AdminAct): Decision<true> {
  const { account, entries } = inPresentMonth(found)
  const { userId, granted } = account
  const change = { action: 'credits.granted', target: userId, before: null, after: { amount } }
  const entry = { kind: 'grant', amount, actorId: act.actorId } as const
  return {
    ...record({ account, entries }, { granted: granted + amount }, entry),
    events: [adminActed('billing.admin-acted', act, change)],
    outcome: true,
  }
}

/**
 * Starts a full month of a plan immediately; grants and running holds stay.
 * @param left the plan that the account must be on, when an assignment is undone
 * @throws AppError conflict when it is on another one
 */
export function decideAssignment(
  found: Found,
  planId: string,
  act: AdminAct,
  left?: string,
): Decision<'assigned' | 'unknown_plan'> {
  const { account, plans, now } = found
  if (left !== undefined) ensureUnchanged({ planId: left }, { planId: account.planId })
  if (!plans.has(planId)) return { account, entries: [], events: [], outcome: 'unknown_plan' }
  const [before, after] = [{ planId: account.planId }, { planId }]
  const change = { action: 'plan.assigned', target: account.userId, reversible: true, before, after }
  return {
    ...startMonth(inPresentMonth(found), plans, { planId, anchor: now, now, actorId: act.actorId }),
    events: [adminActed('billing.admin-acted', act, change)],
    outcome: 'assigned',
  }
}
