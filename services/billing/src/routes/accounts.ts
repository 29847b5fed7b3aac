import { billingAdminRoutes, billingInternalRoutes } from '@parley/contracts'
import { adminActOf, type Clock, mount, type NewId, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { untilKnown } from '../known-account.ts'
import { presentAccount, presentCredits } from '../present.ts'
import type { BillingStores } from '../store/index.ts'

/** Accounts as admins and other services see and change them. The rights of the account's user are not known here, so `unlimited` is false. */
export function addAccountRoutes(
  router: IRouter,
  { accounts }: Pick<BillingStores, 'accounts'>,
  makers: { newId: NewId; now: Clock },
): void {
  mount(router, billingAdminRoutes.assignPlan, async ({ principal, params, body }) => {
    const act = adminActOf(principal, makers)
    const outcome = await untilKnown(
      () => accounts.assignPlan(params.id, body.planId, act),
      (assigned) => assigned !== 'unknown_user',
    )
    if (outcome !== 'assigned') throw notFound(outcome === 'unknown_plan' ? 'Plan not found' : 'User not found')
    return { body: { credits: presentCredits(await accounts.read(params.id), false) } }
  })
  mount(router, billingAdminRoutes.grantCredits, async ({ principal, params, body }) => {
    const act = adminActOf(principal, makers)
    const granted = await untilKnown(
      () => accounts.grant(params.id, body.amount, act),
      (done) => done,
    )
    if (!granted) throw notFound('User not found')
    return { body: { credits: presentCredits(await accounts.read(params.id), false) } }
  })
  mount(router, billingInternalRoutes.accounts, async ({ body }) => ({
    body: { accounts: (await accounts.readKnown(body.userIds)).map(presentAccount) },
  }))
}
