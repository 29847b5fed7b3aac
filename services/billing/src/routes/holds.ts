import { billingInternalRoutes } from '@parley/contracts'
import { AppError, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { CreditStore } from '../store/credit-store.ts'
import type { WarningThreshold } from '../warning-threshold.ts'

const noGeneration = () => notFound('Nothing is held for this generation')

/** Credits set aside for generations, by other services only. */
export function addHoldRoutes(router: IRouter, credits: CreditStore, warningThreshold: WarningThreshold): void {
  mount(router, billingInternalRoutes.hold, async ({ body }) => {
    const { outcome, remaining } = await credits.hold(body)
    if (outcome === 'insufficient') throw new AppError('insufficient_credits', 'Insufficient Credits.')
    if (outcome === 'conflict') throw new AppError('conflict', 'This generation is over or belongs to somebody else')
    return { body: { remaining } }
  })
  mount(router, billingInternalRoutes.renewHold, async ({ params }) => {
    if (!(await credits.renewHold(params.generationId))) throw noGeneration()
    return {}
  })
  mount(router, billingInternalRoutes.settleHold, async ({ params, body }) => {
    const settlement = await credits.settle(params.generationId, body.amount, await warningThreshold())
    if (settlement === undefined) throw noGeneration()
    return { body: settlement }
  })
}
