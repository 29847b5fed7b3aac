import { billingAdminRoutes, billingInternalRoutes } from '@parley/contracts'
import { adminActOf, mount, notFound, readIdempotencyKey } from '@parley/kit'
import type { IRouter } from 'express'
import type { BillingParts } from '../parts.ts'
import { presentAccount, presentCredits } from '../present.ts'
import { retryUntilFound } from '../retry-until-found.ts'

/** Up to this many users of a plan are listed individually. */
const fewUsers = 5_000

/** Accounts for admins and other services. Rights are not known here, so `unlimited` is false. */
export function addAccountRoutes(router: IRouter, parts: BillingParts): void {
  const { accounts, keyAdmin, plans, usage } = parts.stores
  mount(router, billingAdminRoutes.assignPlan, async ({ params, body, ...call }) => {
    const act = adminActOf(call, parts)
    const outcome = await retryUntilFound(
      () => accounts.assignPlan(params.id, body.planId, act),
      (assigned) => assigned !== 'unknown_user',
    )
    if (outcome !== 'assigned') throw notFound(outcome === 'unknown_plan' ? 'Plan not found' : 'User not found')
    return { body: { credits: presentCredits(await accounts.read(params.id), false) } }
  })
  mount(router, billingAdminRoutes.grantCredits, async ({ params, body, headers, ...call }) => {
    const act = adminActOf(call, parts)
    const key = readIdempotencyKey(headers['idempotency-key']) ?? undefined
    const granted = await retryUntilFound(
      () => accounts.grant(params.id, body.amount, act, key),
      (done) => done,
    )
    if (!granted) throw notFound('User not found')
    return { body: { credits: presentCredits(await accounts.read(params.id), false) } }
  })
  mount(router, billingInternalRoutes.accountTotals, async ({ params }) => {
    const [known] = await accounts.readKnown([params.id])
    if (known === undefined) throw notFound('User not found')
    return { body: await usage.totalsOf(params.id) }
  })
  mount(router, billingInternalRoutes.planUsers, async ({ params }) => {
    const known = (await plans.list()).some(({ id }) => id === params.id)
    if (!known) throw notFound('Plan not found')
    const userIds = await accounts.usersOn(params.id, fewUsers + 1)
    return { body: { userIds: userIds.length > fewUsers ? null : [...userIds] } }
  })
  mount(router, billingInternalRoutes.planMembers, async ({ params, body }) => ({
    body: { userIds: [...(await accounts.membersOf(params.id, body.userIds))] },
  }))
  mount(router, billingInternalRoutes.names, async ({ body }) => {
    const [ofPlans, ofKeys] = await Promise.all([plans.namesOf(body.planIds), keyAdmin.labelsOf(body.keyIds)])
    return { body: { names: { ...ofPlans, ...ofKeys } } }
  })
  mount(router, billingInternalRoutes.accounts, async ({ body }) => ({
    body: { accounts: (await accounts.readKnown(body.userIds)).map(presentAccount) },
  }))
}
