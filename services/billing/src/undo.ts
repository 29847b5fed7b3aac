import type { billingInternalRoutes } from '@parley/contracts'
import { type Call, differenceOf, noLongerExists, notReversible, type UndoingAct, undoneBefore } from '@parley/kit'
import type { BillingParts } from './parts.ts'
import type { TierState } from './store/key-admin-store.ts'
import type { PlanFields } from './store/plan-store.ts'

type Undone = Pick<Call<typeof billingInternalRoutes.undo>['body'], 'action' | 'target' | 'before' | 'after'>
/** The act as recorded in the audit log. */
type Done = Undone & { readonly entryId: string }

/** Undoes an act of an admin, once. @throws AppError conflict, not_reversible */
export async function undo(
  { stores, signalKeyChanged }: BillingParts,
  { action, target, before, after }: Done,
  act: UndoingAct,
): Promise<Undone & { targetName?: string | undefined }> {
  const id = target ?? ''
  switch (action) {
    case 'plan.changed': {
      const changed = differenceOf(editable(before), editable(after))
      const undone = await stores.plans.undo(id, changed, act)
      return { action, target, targetName: undone.after.name, ...undone }
    }
    case 'plan.assigned': {
      const [back, left] = [planIdOf(before), planIdOf(after)]
      const [account] = await stores.accounts.readKnown([id])
      if (account === undefined) throw noLongerExists()
      const present = { planId: account.plan.id }
      if (act.undone) throw undoneBefore(present)
      const outcome = await stores.accounts.assignPlan(id, back, act, left)
      if (outcome === 'unknown_plan') throw noLongerExists()
      if (outcome === 'unknown_user') throw undoneBefore(present)
      return { action, target, before: after, after: before }
    }
    case 'key.tier-changed': {
      const key = await stores.keyAdmin.undoTier(id, { before: before as TierState, after: after as TierState }, act)
      await signalKeyChanged(key)
      return { action, target, targetName: key.label, before: after, after: before }
    }
    default:
      throw notReversible()
  }
}

const planIdOf = (state: unknown): string => (state as { planId: string }).planId

/** The fields of a plan that admins edit. */
function editable(state: unknown): PlanFields {
  const { name, description, monthlyCredits, requestsPerWindow, windowMs } = state as PlanFields
  return { name, description, monthlyCredits, requestsPerWindow, windowMs }
}
