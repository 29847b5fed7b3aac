import { billingInternalRoutes as internal, keyRoutes, usageRoutes } from '@parley/contracts'
import { hashKeySecret, newId } from '@parley/kit'
import { adminPrincipal, type FakeExports, startFakeExports, testIdentity } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

let auth: FakeExports
let billing: RunningBilling
beforeAll(async () => {
  auth = await startFakeExports('billing', testIdentity())
  billing = await givenBilling({ client: auth.client })
})
afterAll(async () => {
  await billing.stop()
  await auth.close()
})

/** Billing's contribution for a user. */
async function contribution(userId: string) {
  const exportId = newId()
  await billing.exportRequested(userId, exportId)
  const files = await expect
    .poll(() => auth.filesOf(exportId))
    .toBeDefined()
    .then(() => auth.filesOf(exportId))
  const json = (path: string) => JSON.parse(String(files?.get(path)))
  return {
    paths: [...(files?.keys() ?? [])],
    account: json('billing/account.json'),
    ledger: json('billing/ledger.json'),
    keys: json('billing/keys.json'),
    usage: json('billing/usage.json'),
    receipts: json('billing/receipts.json'),
  }
}

it('has the plan, the credits and every change of the balance, of this user only', async () => {
  const [{ userId }, other] = [await givenUser(billing), await givenUser(billing)]
  const admin = adminPrincipal()
  await billing.as(admin).post(`/api/admin/users/${userId}/credits`, { amount: 50 })
  await billing.as(admin).post(`/api/admin/users/${other.userId}/credits`, { amount: 77 })
  const generationId = newId()
  await billing.chat.call(internal.hold, { body: { userId, amount: 40, generationId, unlimited: false } })
  await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount: 30 } })
  const { paths, account, ledger } = await contribution(userId)
  expect(paths).toEqual(['account', 'ledger', 'keys', 'usage', 'receipts'].map((name) => `billing/${name}.json`))
  expect(account).toMatchObject({
    plan: { id: 'free', name: 'Free' },
    remaining: { monthly: 70, granted: 50 },
    usedThisMonth: 30,
  })
  expect(ledger).toMatchObject([
    { kind: 'month', delta: 100, balanceAfter: 100, byAdmin: false },
    { kind: 'grant', delta: 50, balanceAfter: 150, byAdmin: true },
    { kind: 'hold', delta: -40, balanceAfter: 110, generationId },
    { kind: 'capture', delta: 10, balanceAfter: 120, generationId },
  ])
  expect(JSON.stringify([account, ledger])).not.toContain(admin.userId)
})

it('has API keys without their hashes, usage, and every receipt', async () => {
  const { userId, principal } = await givenUser(billing)
  const body = { label: 'Build', expiresAt: '2100-01-01T00:00:00.000Z' }
  const { secret } = (await billing.as(principal).call(keyRoutes.createKey, { body })).body
  const generationId = newId()
  await billing.finished({ generationId, userId, charge: 2 })
  const models = async () => (await billing.as(principal).call(usageRoutes.usage)).body.models
  await expect.poll(models).toHaveLength(1)
  const { keys, usage, receipts } = await contribution(userId)
  expect(keys).toMatchObject([{ ...body, lastFour: secret.slice(-4), tier: 1 }])
  expect(JSON.stringify(keys)).not.toContain(hashKeySecret(secret))
  expect(usage).toMatchObject({ models: [{ model: 'v3', requests: 1, credits: 2 }], days: [{ requests: 1 }] })
  expect(receipts).toMatchObject([{ generationId, charged: 2, balanceAfter: 98 }])
})

it('has a ledger of thousands of rows, complete and in order', async () => {
  const { userId } = await givenUser(billing)
  await billing.query(`insert into ledger (user_id, kind, amount, delta, balance_after, period)
    select '${userId}', 'grant', 1, 1, 100 + n, 1 from generate_series(1, 2500) as n`)
  const { ledger } = await contribution(userId)
  expect(ledger).toHaveLength(2_501)
  const ids = ledger.map(({ id }: { id: number }) => id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => Number(a) - Number(b)))
})

it('does not create an account for a user without one', async () => {
  const userId = newId()
  expect(await contribution(userId)).toMatchObject({ account: null, ledger: [] })
  expect((await billing.chat.call(internal.accounts, { body: { userIds: [userId] } })).body.accounts).toEqual([])
})

it('is redelivered after an outage of auth, and sent again on request', async () => {
  const { userId } = await givenUser(billing)
  auth.refusals.push(503)
  expect((await contribution(userId)).ledger).toHaveLength(1)
})
