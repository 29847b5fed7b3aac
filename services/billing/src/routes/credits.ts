import { billingRoutes } from '@parley/contracts'
import { actingUser, mount } from '@parley/kit'
import type { IRouter } from 'express'
import { presentCredits } from '../present.ts'
import type { BillingStores } from '../store/index.ts'

/** What users see of their credits and of the plans on offer. */
export function addCreditRoutes(router: IRouter, { accounts, plans }: Pick<BillingStores, 'accounts' | 'plans'>): void {
  mount(router, billingRoutes.credits, async ({ principal }) => {
    const { userId, rights } = actingUser(principal)
    return { body: presentCredits(await accounts.read(userId), rights.isAdmin) }
  })
  mount(router, billingRoutes.plans, async () => ({ body: { plans: [...(await plans.list())] } }))
}
