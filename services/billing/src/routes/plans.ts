import { billingAdminRoutes, listedPlanSchema } from '@parley/contracts'
import { AppError, adminActOf, answerWhole, changedMeanwhile, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { BillingParts } from '../parts.ts'
import { moveForCall } from '../plan-mover.ts'

const noPlan = () => notFound('Plan not found')
const usualWindow = { requestsPerWindow: 60, windowMs: 60_000 }

/** Plans, for admins. */
export function addPlanRoutes(router: IRouter, parts: BillingParts): void {
  const { plans, planMoves } = parts.stores
  mount(router, billingAdminRoutes.plans, async ({ query }) => {
    const [all, users] = await Promise.all([plans.list(), plans.countUsers()])
    const rows = all.map((plan) => ({ ...plan, users: users.get(plan.id) ?? 0 }))
    return answerWhole(query, { name: 'plans', row: listedPlanSchema }, rows)
  })
  mount(router, billingAdminRoutes.createPlan, async ({ body, ...call }) => {
    const { default: isDefault = false, ...given } = body
    const fields = { ...usualWindow, description: '', ...given }
    const plan = await plans.create(parts.newId(), fields, adminActOf(call, parts))
    if (!isDefault) return { body: { plan } }
    return { body: { plan: (await plans.makeDefault(plan.id, adminActOf(call, parts))) ?? plan } }
  })
  mount(router, billingAdminRoutes.updatePlan, async ({ params, body, ...call }) => {
    const { version, ...fields } = body
    const update = await plans.update(params.id, fields, adminActOf(call, parts), version)
    if (update === undefined) throw noPlan()
    if (update.outcome === 'conflict') throw changedMeanwhile('this plan', update.plan)
    return { body: { plan: update.plan } }
  })
  mount(router, billingAdminRoutes.removePlan, async ({ params, ...call }) => {
    const outcome = await plans.remove(params.id, adminActOf(call, parts))
    if (outcome === 'unknown') throw noPlan()
    if (outcome === 'in_use') throw new AppError('conflict', 'The default plan and plans in use can’t be deleted.')
    return {}
  })
  mount(router, billingAdminRoutes.setDefaultPlan, async ({ params, ...call }) => {
    const plan = await plans.makeDefault(params.id, adminActOf(call, parts))
    if (plan === undefined) throw noPlan()
    return { body: { plan } }
  })
  mount(router, billingAdminRoutes.movePlanUsers, async ({ params, body, ...call }) => {
    if (body.planId === params.id) throw new AppError('validation_failed', 'Choose another plan.')
    const begun = await planMoves.begin(params.id, body.planId, adminActOf(call, parts))
    if (begun === 'unknown_plan') throw noPlan()
    if (begun === 'under_way')
      throw new AppError('conflict', 'Users of a plan are already being moved. Try again when that’s done.')
    return { body: { done: await moveForCall(planMoves) } }
  })
}
