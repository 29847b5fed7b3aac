import { billingAdminRoutes } from '@parley/contracts'
import { AppError, adminActOf, type Clock, mount, type NewId, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { PlanStore } from '../store/plan-store.ts'

const noPlan = () => notFound('Plan not found')
const usualWindow = { requestsPerWindow: 60, windowMs: 60_000 }

/** Plans as admins manage them. */
export function addPlanRoutes(router: IRouter, plans: PlanStore, makers: { newId: NewId; now: Clock }): void {
  mount(router, billingAdminRoutes.plans, async () => ({ body: { plans: [...(await plans.list())] } }))
  mount(router, billingAdminRoutes.createPlan, async ({ principal, body }) => {
    const fields = { ...usualWindow, description: '', ...body }
    return { body: { plan: await plans.create(makers.newId(), fields, adminActOf(principal, makers)) } }
  })
  mount(router, billingAdminRoutes.updatePlan, async ({ principal, params, body }) => {
    const plan = await plans.update(params.id, body, adminActOf(principal, makers))
    if (plan === undefined) throw noPlan()
    return { body: { plan } }
  })
  mount(router, billingAdminRoutes.removePlan, async ({ principal, params }) => {
    const outcome = await plans.remove(params.id, adminActOf(principal, makers))
    if (outcome === 'unknown') throw noPlan()
    if (outcome === 'in_use') throw new AppError('conflict', 'The default plan and plans in use cannot be deleted.')
    return {}
  })
  mount(router, billingAdminRoutes.setDefaultPlan, async ({ principal, params }) => {
    const plan = await plans.makeDefault(params.id, adminActOf(principal, makers))
    if (plan === undefined) throw noPlan()
    return { body: { plan } }
  })
}
