import { defaultSettings, billingInternalRoutes as internal, billingRoutes as routes } from '@parley/contracts'
import { createServiceClient, newId, type ServiceClient } from '@parley/kit'
import {
  adminPrincipal,
  answerJson,
  type FakeOutsider,
  guestPrincipal,
  startFakeOutsider,
  testIdentity,
  userPrincipal,
} from '@parley/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

let threshold = 80
let auth: FakeOutsider
let client: ServiceClient
let billing: RunningBilling
beforeEach(async () => {
  threshold = 80
  auth = await startFakeOutsider((_call, response) => {
    const settings = { ...defaultSettings, creditWarningThreshold: threshold, registrationEnabled: true }
    answerJson(response, { version: 1, settings })
  })
  const identity = testIdentity()
  client = createServiceClient({ self: 'billing', locate: () => auth.url, identity })
  billing = await givenBilling({ client })
})
afterEach(async () => {
  await billing.stop()
  await Promise.all([client.close(), auth.close()])
})

async function hold(userId: string, amount: number): Promise<string> {
  const generationId = newId()
  await billing.chat.call(internal.hold, { body: { userId, amount, generationId, unlimited: false } })
  return generationId
}
/** The user's period in which a warning was given. */
const warnedPeriod = async (userId: string): Promise<number | null> => {
  const rows = await billing.query(`select warned_period from accounts where user_id = '${userId}'`)
  return (rows[0] as { warned_period: number | null }).warned_period
}

async function settle(userId: string, amount: number) {
  const generationId = await hold(userId, amount)
  return await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount } })
}

it('a charge beyond the threshold set by an admin causes a warning, and a changed threshold applies', async () => {
  const { userId } = await givenUser(billing)
  await settle(userId, 70)
  expect(await warnedPeriod(userId)).toBeNull()
  threshold = 60
  await expect
    .poll(async () => {
      await settle(userId, 1)
      return await warnedPeriod(userId)
    })
    .toBe(1)
})

it('a settlement by event also causes a warning', async () => {
  const { userId } = await givenUser(billing)
  const generationId = await hold(userId, 90)
  await billing.finished({ generationId, userId, charge: 90 })
  await expect.poll(() => warnedPeriod(userId)).toBe(1)
})

it('a charge before auth’s first answer is settled, and the next one makes up for its warning', async () => {
  const answers = auth.script
  auth.script = (_call, response) => answerJson(response, {}, 503)
  const { userId } = await givenUser(billing)
  expect((await settle(userId, 90)).body).toMatchObject({ charged: 90 })
  expect(await warnedPeriod(userId)).toBeNull()
  auth.script = answers
  await expect
    .poll(async () => {
      await settle(userId, 1)
      return await warnedPeriod(userId)
    })
    .toBe(1)
})

it('a warning is shown once it is due, until it is acknowledged or the month ends', async () => {
  const { userId, principal } = await givenUser(billing)
  const as = billing.as(principal)
  const warning = async () => (await as.call(routes.creditWarning)).body
  const quiet = { shouldShow: false, threshold: 80, acknowledged: false, warningShown: false }
  expect(await warning()).toEqual({ ...quiet, usagePercentage: 0 })
  await settle(userId, 79)
  expect(await warning()).toEqual({ ...quiet, usagePercentage: 79 })
  await settle(userId, 1)
  const due = { shouldShow: true, threshold: 80, usagePercentage: 80, acknowledged: false, warningShown: true }
  expect(await warning()).toEqual(due)
  const asAdmin = billing.as(adminPrincipal({ userId }))
  expect((await asAdmin.call(routes.creditWarning)).body).toEqual({ ...due, shouldShow: false })
  const acknowledged = await as.call(routes.acknowledgeCreditWarning)
  expect(acknowledged).toMatchObject({ status: 200, body: { message: expect.any(String) } })
  expect((await as.call(routes.acknowledgeCreditWarning)).status).toBe(200)
  await settle(userId, 1)
  expect(await warning()).toEqual({ ...due, usagePercentage: 81, shouldShow: false, acknowledged: true })
  await billing.query(`update accounts set anchor = anchor - interval '1 month',
    period_start = period_start - interval '1 month', period_end = now() where user_id = '${userId}'`)
  expect(await warning()).toEqual({ ...quiet, usagePercentage: 0 })
})

it('the credit warning is unknown before auth’s first answer (503), and not available to guests (401)', async () => {
  auth.script = (_call, response) => answerJson(response, {}, 503)
  const { principal } = await givenUser(billing)
  expect((await billing.as(principal).call(routes.creditWarning)).status).toBe(503)
  for (const route of [routes.creditWarning, routes.acknowledgeCreditWarning]) {
    expect((await billing.as(guestPrincipal()).call(route)).status).toBe(401)
    const banned = userPrincipal({ rights: { isBanned: true } })
    expect((await billing.as(banned).call(route)).status).toBe(403)
  }
})
