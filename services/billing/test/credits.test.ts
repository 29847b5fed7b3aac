import {
  billingAdminRoutes as admin,
  billingInternalRoutes as internal,
  billingRoutes as routes,
} from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, guestPrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

describe('credits over HTTP', () => {
  let billing: RunningBilling
  beforeAll(async () => {
    billing = await givenBilling()
  })
  afterAll(() => billing.stop())
  const hold = (userId: string, amount: number, generationId = newId()) =>
    billing.chat.call(internal.hold, { body: { userId, amount, generationId, unlimited: false } })
  const settle = (generationId: string, amount: number) =>
    billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount } })

  it('give a new user the default plan and a month', async () => {
    const before = Date.now()
    const answer = await billing.as(userPrincipal()).call(routes.credits)
    expect(answer.status).toBe(200)
    expect(routes.credits.answer?.parse(answer.body)).toMatchObject({
      plan: { id: 'free', name: 'Free', monthlyCredits: 100 },
      remaining: 100,
      held: 0,
      used: 0,
      unlimited: false,
    })
    const days = (Date.parse(answer.body.resetDate) - before) / 86_400_000
    expect(days).toBeGreaterThan(27.9)
    expect(days).toBeLessThan(31.1)
  })

  it('are read while an act holds the account’s lock, without a change even if the month is over', async () => {
    const { userId, credits } = await givenUser(billing)
    await billing.query(`update accounts set anchor = anchor - interval '1 month', monthly = 40, used = 60,
      period_end = now() where user_id = '${userId}'`)
    const rows = () =>
      billing.query(`select xmin::text, (select count(*)::int from ledger where user_id = '${userId}') as entries
        from accounts where user_id = '${userId}'`)
    const before = await rows()
    const read = await billing.whileLocked(userId, async () => [
      await credits(),
      (await billing.chat.call(internal.accounts, { body: { userIds: [userId] } })).body.accounts[0]?.credits,
    ])
    expect(read).toMatchObject([
      { remaining: 100, used: 0, held: 0 },
      { remaining: 100, monthly: 100 },
    ])
    expect(await rows()).toEqual(before)
  })

  it('are unlimited for admins, unless they view as users', async () => {
    const admin = adminPrincipal()
    expect((await billing.as(admin).call(routes.credits)).body.unlimited).toBe(true)
    const viewing = { ...admin, viewAs: true, rights: { ...admin.rights, isAdmin: false } }
    expect((await billing.as(viewing).call(routes.credits)).body.unlimited).toBe(false)
  })

  it('show what is held, then what was used', async () => {
    const { userId, credits } = await givenUser(billing)
    const generationId = newId()
    expect(await hold(userId, 30, generationId)).toMatchObject({ status: 201, body: { remaining: 70 } })
    expect(await credits()).toMatchObject({ remaining: 70, held: 30, used: 0 })
    expect(await settle(generationId, 20)).toMatchObject({ status: 200, body: { charged: 20, remaining: 80 } })
    expect(await credits()).toMatchObject({ remaining: 80, held: 0, used: 20 })
    expect(await settle(generationId, 0)).toMatchObject({ status: 200, body: { charged: 20, remaining: 80 } })
  })

  /** A user, and how often the user's credits were signalled as changed since the account was made. */
  const givenSignals = async () => {
    const { userId } = await givenUser(billing)
    const all = () => billing.creditChanges.filter((changed) => changed === userId).length
    await expect.poll(all).toBe(1)
    return { userId, signals: () => all() - 1 }
  }

  it('are signalled once by each act that changes what can be spent, and by no other act', async () => {
    const { userId, signals } = await givenSignals()
    const [part, whole] = [newId(), newId()]
    await hold(userId, 30, part)
    await expect.poll(signals).toBe(1)
    await settle(part, 20)
    await expect.poll(signals).toBe(2)
    await hold(userId, 80, whole)
    await settle(whole, 80)
    await settle(part, 20)
    expect((await hold(userId, 1)).status).toBe(402)
    await billing.as(adminPrincipal()).call(admin.grantCredits, { params: { id: userId }, body: { amount: 5 } })
    await expect.poll(signals).toBe(4)
  })

  it('are signalled when their user gets another plan, even if it gives as many', async () => {
    const { userId, signals } = await givenSignals()
    const asAdmin = billing.as(adminPrincipal())
    const { plan } = (await asAdmin.call(admin.createPlan, { body: { name: 'Same', monthlyCredits: 100 } })).body
    const assign = (planId: string) => asAdmin.call(admin.assignPlan, { params: { id: userId }, body: { planId } })
    await assign(plan.id)
    await expect.poll(signals).toBe(1)
    await assign('free')
    await asAdmin.call(admin.removePlan, { params: { id: plan.id } })
  })

  it('are signalled once for several acts in one transaction', async () => {
    const { userId, signals } = await givenSignals()
    const holds = [newId(), newId(), newId()].map((generationId) => ({
      ...{ generationId, userId, amount: 5, unlimited: false },
    }))
    const { body } = await billing.chat.call(internal.holdSeveral, { body: { holds } })
    expect(body.results).toHaveLength(3)
    await hold(userId, 1)
    await expect.poll(signals).toBe(2)
  })

  it('refuse a hold beyond the balance, with the reason of the refusal', async () => {
    const { userId, credits } = await givenUser(billing)
    const refused = await hold(userId, 101)
    expect(refused).toMatchObject({
      status: 402,
      body: { code: 'insufficient_credits', error: 'Insufficient Credits.' },
    })
    expect(await credits()).toMatchObject({ remaining: 100, held: 0 })
  })

  it('allow one of 200 concurrent holds on two replicas when one credit is left', async () => {
    const { userId, credits } = await givenUser(billing)
    await hold(userId, 99)
    const service = { kind: 'service', service: 'chat', network: 'internal' } as const
    const callers = [billing.chat, billing.replica(service)]
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const body = { userId, amount: 1, generationId: newId(), unlimited: false }
        return (await callers[at % 2]?.call(internal.hold, { body }))?.status
      }),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 402)).toHaveLength(199)
    expect(await credits()).toMatchObject({ remaining: 0, held: 100 })
  })

  it('answer a repeated hold the same way, and refuse one for an ended generation or another user’s', async () => {
    const [owner, other] = [await givenUser(billing), await givenUser(billing)]
    const generationId = newId()
    expect((await hold(owner.userId, 10, generationId)).body).toEqual({ remaining: 90 })
    expect((await hold(owner.userId, 10, generationId)).body).toEqual({ remaining: 90 })
    expect(await hold(other.userId, 10, generationId)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await settle(generationId, 0)
    expect((await hold(owner.userId, 10, generationId)).status).toBe(409)
    expect(await owner.credits()).toMatchObject({ remaining: 100, held: 0 })
  })

  it('hold for several generations in one call, refuse each separately, and answer a repeated call the same way', async () => {
    const [rich, poor] = [await givenUser(billing), await givenUser(billing)]
    const [first, second, over] = [newId(), newId(), newId()]
    await hold(rich.userId, 1, over)
    await settle(over, 0)
    const one = (userId: string, amount: number, generationId: string) => {
      return { userId, amount, generationId, unlimited: false }
    }
    const holds = [
      one(rich.userId, 30, first),
      one(poor.userId, 101, newId()),
      one(rich.userId, 1, over),
      one(rich.userId, 70, second),
      one(rich.userId, 1, newId()),
    ]
    const refusal = (code: string) => ({ refusal: { code, error: expect.any(String), headers: {} } })
    const empty = refusal('insufficient_credits')
    const answer = await billing.chat.call(internal.holdSeveral, { body: { holds } })
    expect(answer.body.results).toEqual([{ remaining: 70 }, empty, refusal('conflict'), { remaining: 0 }, empty])
    const again = await billing.chat.call(internal.holdSeveral, { body: { holds } })
    expect(again.body.results).toEqual([{ remaining: 0 }, empty, refusal('conflict'), { remaining: 0 }, empty])
    expect(await rich.credits()).toMatchObject({ remaining: 0, held: 100 })
    expect(await poor.credits()).toMatchObject({ remaining: 100, held: 0 })
  })

  it('refuse, out of several holds, those whose account is locked by another act, without delaying the others', async () => {
    const [free, locked] = [await givenUser(billing), await givenUser(billing)]
    const holds = [free, locked].map(({ userId }) => {
      return { userId, amount: 10, generationId: newId(), unlimited: false }
    })
    const held = () => billing.chat.call(internal.holdSeveral, { body: { holds } })
    expect((await billing.whileLocked(locked.userId, held)).body.results).toEqual([{ remaining: 90 }, { apart: true }])
    expect(await locked.credits()).toMatchObject({ remaining: 100, held: 0 })
    expect((await held()).body.results).toEqual([{ remaining: 90 }, { remaining: 90 }])
  })

  it('give each of several holds refused by the plan’s window a time to retry', async () => {
    const { userId } = await givenUser(billing)
    await billing.query(`update accounts set window_start = now(), window_count = 1000000 where user_id = '${userId}'`)
    const body = { holds: [{ userId, amount: 1, generationId: newId(), unlimited: false }] }
    expect((await billing.chat.call(internal.holdSeveral, { body })).body.results).toMatchObject([
      { refusal: { code: 'rate_limited', headers: { 'retry-after': expect.stringMatching(/^\d+$/) } } },
    ])
  })

  it('charge an unlimited user nothing', async () => {
    const { userId, credits } = await givenUser(billing)
    const generationId = newId()
    const body = { userId, amount: 5_000, generationId, unlimited: true }
    expect((await billing.chat.call(internal.hold, { body })).status).toBe(201)
    expect((await settle(generationId, 5_000)).body).toEqual({ charged: 0, remaining: 100 })
    expect(await credits()).toMatchObject({ remaining: 100, used: 0 })
  })

  it('settle several holds of several users in one call, once each, and skip unknown ones', async () => {
    const [one, other] = [await givenUser(billing), await givenUser(billing)]
    const [captured, part, released] = [newId(), newId(), newId()]
    await hold(one.userId, 30, captured)
    await hold(one.userId, 20, part)
    await hold(other.userId, 50, released)
    const settlements = [
      { generationId: captured, amount: 30 },
      { generationId: newId(), amount: 10 },
      { generationId: part, amount: 5 },
      { generationId: released, amount: 0 },
      { generationId: captured, amount: 0 },
    ]
    for (const _time of ['first', 'again']) {
      expect(await billing.chat.call(internal.settleHolds, { body: { settlements } })).toMatchObject({ status: 204 })
      expect(await one.credits()).toMatchObject({ remaining: 65, held: 0, used: 35 })
      expect(await other.credits()).toMatchObject({ remaining: 100, held: 0, used: 0 })
    }
  })

  it('do not know generations that were never held', async () => {
    const params = { generationId: newId() }
    expect((await settle(params.generationId, 1)).status).toBe(404)
    expect((await billing.chat.call(internal.renewHold, { params })).status).toBe(404)
  })

  it('return several accounts at once, known ones only', async () => {
    const { userId } = await givenUser(billing)
    const answer = await billing.chat.call(internal.accounts, { body: { userIds: [userId, 'nobody'] } })
    expect(internal.accounts.answer?.parse(answer.body).accounts).toMatchObject([
      { userId, plan: { id: 'free', name: 'Free' }, credits: { remaining: 100, monthly: 100 } },
    ])
  })

  it('show guests the plans and no accounts', async () => {
    const guest = billing.as(guestPrincipal())
    const { plans } = (await guest.call(routes.plans)).body
    expect(plans.map((plan) => plan.name)).toEqual(['Free', 'Plus', 'Pro'])
    expect(Object.keys(plans[0] ?? {}).sort()).toEqual(
      ['default', 'description', 'id', 'monthlyCredits', 'name', 'requestsPerWindow', 'windowMs'].sort(),
    )
    expect((await guest.call(routes.credits)).status).toBe(401)
  })

  it.each(Object.values(internal))('refuse users on $path', async (route) => {
    const { userId } = await givenUser(billing)
    const path = route.path.replace(':generationId', 'some-generation').replace(':id', userId)
    const body = { userId, userIds: [userId], amount: 1, generationId: newId(), unlimited: true }
    const answer = await billing.as(adminPrincipal()).send(route.method, path, route.body && { body })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })
})
