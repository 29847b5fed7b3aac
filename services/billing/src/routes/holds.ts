import { billingInternalRoutes } from '@parley/contracts'
import { AppError, type Call, type Clock, isAppError, limitReached, mount, notFound, wholeSeconds } from '@parley/kit'
import type { IRouter } from 'express'
import type { z } from 'zod'
import type { End } from '../credits/account.ts'
import type { HoldResult } from '../credits/hold.ts'
import type { FullWindow } from '../credits/window.ts'
import type { BillingParts } from '../parts.ts'

/** The refusal by the window of the user's plan, shared by all paths. */
function planLimit({ limit, resetMs }: FullWindow) {
  const seconds = wholeSeconds(resetMs)
  const message = `Your plan allows no more than ${limit} requests in this time. Please try again in ${seconds} s.`
  return limitReached('rate_limited', message, { limit, seconds })
}

const noGeneration = () => notFound('Nothing is held for this generation')

/** Holds of credits for generations, for other services only. */
export function addHoldRoutes(router: IRouter, { stores: { credits }, settings, now }: BillingParts): void {
  const hold = (body: HoldBody, leavesLocked?: boolean): Promise<HoldResult> => {
    const { model, source = 'web', keyId = null, ...wanted } = body
    const asked = model === undefined ? undefined : { model, source, keyId }
    return credits.hold({ ...wanted, asked }, leavesLocked)
  }
  mount(router, billingInternalRoutes.hold, async ({ body }) => ({ body: heldOf(await hold(body)) }))
  mount(router, billingInternalRoutes.holdSeveral, async ({ body }) => {
    const made = await Promise.allSettled(body.holds.map((each) => hold(each, true)))
    // Every hold failed, so the fault is not that of a single one.
    if (made.every(({ status }) => status === 'rejected')) throw (made[0] as PromiseRejectedResult).reason
    return { body: { results: made.map(presentOne) } }
  })
  mount(router, billingInternalRoutes.renewHold, async ({ params }) => {
    if (!(await credits.renewHold(params.generationId))) throw noGeneration()
    return {}
  })
  mount(router, billingInternalRoutes.settleHold, async ({ params, body }) => {
    const warnAt = (await settings())?.creditWarningThreshold
    const settlement = await credits.settle(params.generationId, body.amount, warnAt, endOf(body, now))
    if (settlement === undefined) throw noGeneration()
    return { body: settlement }
  })
  mount(router, billingInternalRoutes.settleHolds, async ({ body }) => {
    const warnAt = (await settings())?.creditWarningThreshold
    await Promise.all(body.settlements.map(({ generationId, amount }) => credits.settle(generationId, amount, warnAt)))
    return {}
  })
}

type HoldBody = Call<typeof billingInternalRoutes.hold>['body']
type OneOfSeveral = z.input<typeof billingInternalRoutes.holdSeveral.answer & {}>['results'][number]

/** @throws AppError insufficient_credits, rate_limited by the plan's window, or conflict */
function heldOf({ outcome, remaining, window }: HoldResult): { readonly remaining: number } {
  if (outcome === 'insufficient') throw new AppError('insufficient_credits', 'Insufficient Credits.')
  if (window !== undefined) throw planLimit(window)
  if (outcome === 'conflict') throw new AppError('conflict', 'This generation is over or belongs to someone else')
  return { remaining }
}

function presentOne(made: PromiseSettledResult<HoldResult>): OneOfSeveral {
  if (made.status === 'rejected' || made.value.outcome === 'locked') return { apart: true }
  try {
    return heldOf(made.value)
  } catch (error) {
    if (!isAppError(error)) throw error
    return { refusal: { code: error.code, error: error.message, headers: { ...error.headers } } }
  }
}

function endOf(
  { ended, answered }: Call<typeof billingInternalRoutes.settleHold>['body'],
  now: Clock,
): End | undefined {
  const at = now()
  if (answered !== undefined) return { ...answered, source: 'web', keyId: null, at }
  return ended && { ...ended, keyId: null, usage: { inputTokens: 0, outputTokens: 0, estimated: false }, at }
}
