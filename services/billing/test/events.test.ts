import { billingInternalRoutes as internal, usageRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

describe('billing’s consumer', () => {
  let billing: RunningBilling
  beforeAll(async () => {
    billing = await givenBilling()
  })
  afterAll(() => billing.stop())
  const known = async (userId: string): Promise<number> =>
    (await billing.chat.call(internal.accounts, { body: { userIds: [userId] } })).body.accounts.length
  const hold = (at: RunningBilling, userId: string, amount: number, generationId: string) =>
    at.chat.call(internal.hold, { body: { userId, amount, generationId, unlimited: false } })

  it('creates the account of a registered user', async () => {
    const userId = newId()
    expect(await known(userId)).toBe(0)
    await billing.registered(userId)
    await expect.poll(() => known(userId)).toBe(1)
    await billing.registered(userId)
    expect(await known(userId)).toBe(1)
  })

  it('captures the cost of a finished generation once, however often the event is delivered', async () => {
    const { userId, credits } = await givenUser(billing)
    const generationId = newId()
    await hold(billing, userId, 40, generationId)
    const eventId = newId()
    await billing.finished({ generationId, userId, charge: 25 }, eventId)
    await billing.finished({ generationId, userId, charge: 25 }, eventId)
    await billing.finished({ generationId, userId, charge: 0 })
    await expect.poll(credits).toMatchObject({ remaining: 75, held: 0, used: 25 })
    // Events are handled in order, so after a later event of the same user the earlier ones have been handled.
    await billing.finished({ generationId: newId(), userId, charge: 1 })
    await expect.poll(credits).toMatchObject({ remaining: 74, used: 26 })
  })

  it('releases a generation without cost, and ignores guests', async () => {
    const { userId, credits } = await givenUser(billing)
    const generationId = newId()
    await hold(billing, userId, 40, generationId)
    await billing.finished({ generationId: newId(), userId: null, charge: 5 })
    await billing.finished({ generationId, userId, charge: 0 })
    await expect.poll(credits).toMatchObject({ remaining: 100, held: 0, used: 0 })
  })

  it('agrees with an earlier direct settlement', async () => {
    const { userId, credits } = await givenUser(billing)
    const [generationId, next] = [newId(), newId()]
    await hold(billing, userId, 40, generationId)
    await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount: 30 } })
    await billing.finished({ generationId, userId, charge: 30 })
    await billing.finished({ generationId: next, userId, charge: 1 })
    await expect.poll(credits).toMatchObject({ remaining: 69, used: 31 })
  })

  it('adds nothing to the receipt of a settlement that told the end', async () => {
    const { userId, principal, credits } = await givenUser(billing)
    const [generationId, next] = [newId(), newId()]
    await hold(billing, userId, 40, generationId)
    const usage = { inputTokens: 10, outputTokens: 20, estimated: false }
    const answered = { model: 'small', outcome: 'complete', usage, responseMs: 900, firstTokenMs: 80 } as const
    const settled = await billing.chat.call(internal.settleHold, {
      params: { generationId },
      body: { amount: 30, answered },
    })
    expect(settled.body).toEqual({ charged: 30, remaining: 70 })
    await billing.finished({ generationId, userId, charge: 40, model: 'large' })
    await billing.finished({ generationId: next, userId, charge: 1 })
    await expect.poll(credits).toMatchObject({ remaining: 69, used: 31 })
    const receipt = await billing.as(principal).call(usageRoutes.receipt, { params: { generationId } })
    expect(receipt.body).toMatchObject({ source: 'web', model: 'small', held: 40, charged: 30, balanceAfter: 70 })
    expect(receipt.body).toMatchObject({ inputTokens: 10, outputTokens: 20, outcome: 'complete' })
  })
})

describe('a hold that is not renewed', () => {
  let billing: RunningBilling
  beforeAll(async () => {
    billing = await givenBilling({ holdSeconds: 0.05 })
  })
  afterAll(() => billing.stop())

  it('is released by the sweeper, and charged by a late settlement', async () => {
    const { userId, credits } = await givenUser(billing)
    const generationId = newId()
    const body = { userId, amount: 40, generationId, unlimited: false }
    expect((await billing.chat.call(internal.hold, { body })).status).toBe(201)
    await expect.poll(credits).toMatchObject({ remaining: 100, held: 0 })
    await billing.finished({ generationId, userId, charge: 30 })
    await expect.poll(credits).toMatchObject({ remaining: 70, used: 30 })
    const late = await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount: 40 } })
    expect(late.body).toEqual({ charged: 30, remaining: 70 })
  })

  it('is deleted by the sweeper after the retention time', async () => {
    const { userId } = await givenUser(billing)
    const [old, late] = [newId(), newId()]
    for (const generationId of [old, late]) {
      await billing.chat.call(internal.hold, { body: { userId, amount: 1, generationId, unlimited: false } })
      await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount: 1 } })
    }
    const days = `interval '91 days'`
    await billing.query(
      `update holds set created_at = created_at - ${days}, expires_at = expires_at - ${days}, settled_at = settled_at - ${days}
       where generation_id = '${old}'`,
    )
    const kept = () => billing.query(`select generation_id from holds where generation_id in ('${old}', '${late}')`)
    await expect.poll(kept).toEqual([{ generation_id: late }])
  })
})
