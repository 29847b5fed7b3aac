import { defaultSettings, billingInternalRoutes as internal } from '@parley/contracts'
import { createIdentityCodec, createServiceClient, newId, type ServiceClient } from '@parley/kit'
import { answerJson, type FakeOutsider, startFakeOutsider } from '@parley/testing'
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
  const identity = createIdentityCodec('test-secret-test-secret-test-secret')
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
/** Of this user, in the period that a warning was given for. */
const warnedPeriod = async (userId: string): Promise<number | null> => {
  const rows = await billing.query(`select warned_period from accounts where user_id = '${userId}'`)
  return (rows[0] as { warned_period: number | null }).warned_period
}

async function settle(userId: string, amount: number) {
  const generationId = await hold(userId, amount)
  return await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount } })
}

it('a charge over the threshold that an admin has set is warned of, and a changed one is followed', async () => {
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

it('a settlement by event is warned of as well', async () => {
  const { userId } = await givenUser(billing)
  const generationId = await hold(userId, 90)
  await billing.finished({ generationId, userId, charge: 90 })
  await expect.poll(() => warnedPeriod(userId)).toBe(1)
})

it('a charge before auth ever answered is settled, and the next one makes up for its warning', async () => {
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
