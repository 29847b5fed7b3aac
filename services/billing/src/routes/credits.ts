import { billingRoutes } from '@parley/contracts'
import { actingUser, mount, notFound, unavailable } from '@parley/kit'
import type { IRouter } from 'express'
import type { BillingParts } from '../parts.ts'
import { presentCredits, presentWarning } from '../present.ts'

/** Milliseconds that the warning waits for the settings, which a service that has just started does not know. */
const settingsMs = 3_000

/** A user's own credits and the available plans. */
export function addCreditRoutes(router: IRouter, { stores: { accounts, plans }, settings }: BillingParts): void {
  mount(router, billingRoutes.credits, async ({ principal }) => {
    const { userId, rights } = actingUser(principal)
    return { body: presentCredits(await accounts.read(userId), rights.isAdmin) }
  })
  mount(router, billingRoutes.creditWarning, async ({ principal }) => {
    const { userId, rights } = actingUser(principal)
    const [account, known] = await Promise.all([accounts.read(userId), settings(settingsMs)])
    if (known === undefined) throw unavailable()
    return { body: presentWarning(account, known.creditWarningThreshold, rights.isAdmin) }
  })
  mount(router, billingRoutes.acknowledgeCreditWarning, async ({ principal }) => {
    const acknowledged = await accounts.acknowledgeWarning(actingUser(principal).userId)
    if (!acknowledged) throw notFound('This account no longer exists.')
    return { body: { message: 'You won’t be warned again this month.' } }
  })
  mount(router, billingRoutes.plans, async () => ({
    // The version is for those who edit a plan.
    body: { plans: (await plans.list()).map(({ version: _version, ...plan }) => plan) },
  }))
}
