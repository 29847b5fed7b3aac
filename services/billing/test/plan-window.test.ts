import {
  billingAdminRoutes as admin,
  defaultSettings,
  billingInternalRoutes as internal,
  limitsOfKey,
} from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeAll(async () => {
  billing = await givenBilling()
})
afterAll(() => billing.stop())

const hold = (userId: string, wanted: { unlimited?: boolean; nth?: number; generationId?: string } = {}) => {
  const { unlimited = false, nth = 0, generationId = newId() } = wanted
  const caller = nth % 2 === 0 ? billing.chat : billing.replica(servicePrincipal('llm-router'))
  return caller.call(internal.hold, { body: { userId, amount: 1, generationId, unlimited } })
}
const holds = (userId: string, many: number, unlimited = false) =>
  Promise.all(Array.from({ length: many }, (_, nth) => hold(userId, { unlimited, nth })))
const statusesOf = (answers: readonly { readonly status: number }[]) => {
  const made = answers.filter(({ status }) => status === 201).length
  return { made, limited: answers.filter(({ status }) => status === 429).length }
}
const endWindow = (userId: string) =>
  billing.query(`update accounts set window_start = window_start - interval '1 minute' where user_id = '${userId}'`)

it('the seeded plans admit what a key of the highest tier may send', async () => {
  const { requests, windowMinutes } = limitsOfKey({ tier: 4, customLimits: null }, defaultSettings.rateLimits.apiV1)
  const { plans } = (await billing.as(adminPrincipal()).call(admin.plans)).body
  const narrower = plans.filter((plan) => plan.requestsPerWindow / plan.windowMs < requests / (windowMinutes * 60_000))
  expect(plans.map(({ id }) => id)).toEqual(expect.arrayContaining(['free', 'plus', 'pro']))
  expect(narrower).toEqual([])
})

describe("the window of a user's plan", () => {
  beforeAll(async () => {
    const body = { requestsPerWindow: 30, windowMs: 60_000 }
    await billing.as(adminPrincipal()).call(admin.updatePlan, { params: { id: 'free' }, body })
  })

  it('allows exactly 30 of 40 concurrent requests, on two replicas and all paths together', async () => {
    const { userId, credits } = await givenUser(billing)
    const answers = await holds(userId, 40)
    expect(statusesOf(answers)).toEqual({ made: 30, limited: 10 })
    expect(await credits()).toMatchObject({ remaining: 70, held: 30 })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      code: 'rate_limited',
      error: expect.stringMatching(/30 requests.*again in \d+ s/),
    })
    const { 'retry-after': seconds, ...headers } = refused?.headers ?? {}
    expect(headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0', 'ratelimit-reset': seconds })
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(Number(seconds)).toBeLessThanOrEqual(60)
    await endWindow(userId)
    expect(statusesOf(await holds(userId, 40))).toEqual({ made: 30, limited: 10 })
  })

  it('counts a generation once, however often it is requested', async () => {
    const { userId } = await givenUser(billing)
    const generationId = newId()
    await Promise.all(Array.from({ length: 20 }, () => hold(userId, { generationId })))
    expect(statusesOf(await holds(userId, 30))).toEqual({ made: 29, limited: 1 })
    expect((await hold(userId, { generationId })).status).toBe(201)
  })

  it('counts an admin’s requests and refuses none', async () => {
    const { userId } = await givenUser(billing)
    expect(statusesOf(await holds(userId, 40, true))).toEqual({ made: 40, limited: 0 })
    expect((await hold(userId)).status).toBe(429)
  })

  it('is that of a newly assigned plan, and of a changed plan, at once', async () => {
    const { userId } = await givenUser(billing)
    const root = billing.as(adminPrincipal())
    const body = { name: 'Small', monthlyCredits: 100, requestsPerWindow: 2 }
    const { plan } = (await root.call(admin.createPlan, { body })).body
    await root.call(admin.assignPlan, { params: { id: userId }, body: { planId: plan.id } })
    expect(statusesOf(await holds(userId, 4))).toEqual({ made: 2, limited: 2 })
    await root.call(admin.updatePlan, { params: { id: plan.id }, body: { requestsPerWindow: 3 } })
    expect(statusesOf(await holds(userId, 4))).toEqual({ made: 1, limited: 3 })
    await root.call(admin.assignPlan, { params: { id: userId }, body: { planId: 'plus' } })
    expect(statusesOf(await holds(userId, 4))).toEqual({ made: 4, limited: 0 })
  })
})
