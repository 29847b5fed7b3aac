import {
  type ApiKey,
  usageAdminRoutes as admin,
  billingInternalRoutes as internal,
  keyAdminRoutes as keyAdmin,
  keyRoutes as keys,
  type Receipt,
  usageRoutes as usage,
} from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, guestPrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeAll(async () => {
  billing = await givenBilling()
})
afterAll(() => billing.stop())

type User = Awaited<ReturnType<typeof givenUser>>
type Hold = { amount?: number; unlimited?: boolean; model?: string; source?: 'web' | 'key' | 'image'; keyId?: string }
const hold = async ({ userId }: User, wanted: Hold = {}): Promise<string> => {
  const generationId = newId()
  const body = { userId, generationId, amount: 3, unlimited: false, model: 'v3', source: 'web' as const, ...wanted }
  expect((await billing.chat.call(internal.hold, { body })).status).toBe(201)
  return generationId
}
const receiptsOf = async ({ principal }: User, query: Record<string, string | number> = {}) =>
  (await billing.as(principal).call(usage.receipts, { query })).body
/** The receipt of a generation, once its end has been handled. */
const receiptOf = async (user: User, generationId: string, outcome: Receipt['outcome']): Promise<Receipt> => {
  const read = async () =>
    (await billing.replica(user.principal).call(usage.receipt, { params: { generationId } })).body
  await expect.poll(read).toMatchObject({ outcome })
  return await read()
}
const usageOf = async ({ principal }: User, query: Record<string, string | number> = {}) =>
  (await billing.as(principal).call(usage.usage, { query })).body
const tokens = (inputTokens: number, outputTokens: number, estimated = false) => ({
  usage: { inputTokens, outputTokens, estimated },
})
const today = () => new Date().toISOString().slice(0, 10)

describe('receipts', () => {
  it('of an answer state the credits held, charged and returned, and the reason', async () => {
    const user = await givenUser(billing)
    const generationId = await hold(user, { amount: 5 })
    expect((await receiptsOf(user)).items).toEqual([])
    expect((await billing.as(user.principal).call(usage.receipt, { params: { generationId } })).status).toBe(404)
    const end = {
      generationId,
      userId: user.userId,
      charge: 2,
      model: 'small',
      source: 'web' as const,
      responseMs: 900,
    }
    await billing.finished({ ...end, ...tokens(10, 20) })
    expect(await receiptOf(user, generationId, 'complete')).toEqual({
      ...{ generationId, at: expect.any(String), model: 'small', source: 'web' },
      ...{ held: 5, charged: 2, released: 3, outcome: 'complete', balanceAfter: 98 },
      ...{ inputTokens: 10, outputTokens: 20, estimated: false },
      reason: expect.stringContaining('A cheaper model'),
    })
  })

  it.each([
    ['an answer without any output', { outcome: 'complete', ...tokens(10, 0) }, 'no_output'],
    ['an answer of which nothing could be seen', { outcome: 'interrupted', ...tokens(10, 5) }, 'no_output'],
    ['an answer that the provider failed to give', { outcome: 'error', ...tokens(0, 0) }, 'failed'],
  ] as const)('%s is free, and its receipt says so', async (_what, end, outcome) => {
    const user = await givenUser(billing)
    const generationId = await hold(user)
    await billing.finished({ generationId, userId: user.userId, charge: 0, ...end })
    const receipt = await receiptOf(user, generationId, outcome)
    expect(receipt).toMatchObject({ held: 3, charged: 0, released: 3, balanceAfter: 100 })
    expect(receipt.reason).toMatch(/free/)
  })

  it('of a request by key is found by a program that asks for it as soon as it has the answer', async () => {
    const user = await givenUser(billing)
    const generationId = await hold(user, { source: 'key', keyId: 'k1' })
    const asked = billing.as(user.principal).call(usage.receipt, { params: { generationId: 'chatcmpl-1' } })
    const end = { generationId, userId: user.userId, keyId: 'k1', charge: 3, answerId: 'chatcmpl-1' }
    await billing.requestFinished(end)
    expect(await asked).toMatchObject({ status: 200, body: { generationId, charged: 3 } })
  })

  it('of a redelivered event, under one id or another, are one, and its first end stands', async () => {
    const user = await givenUser(billing)
    const generationId = await hold(user)
    const [event, end] = [newId(), { generationId, userId: user.userId, charge: 3 }]
    const first = billing.finished({ ...end, ...tokens(1, 2) }, event)
    await Promise.all([first, billing.finished({ ...end, ...tokens(1, 2) }, event)])
    await receiptOf(user, generationId, 'complete')
    await billing.finished({ ...end, outcome: 'error', charge: 0, ...tokens(7, 7) })
    const behind = await hold(user)
    await billing.finished({ ...end, generationId: behind })
    await receiptOf(user, behind, 'complete')
    const { items } = await receiptsOf(user)
    expect(items.map((one) => [one.generationId, one.outcome, one.charged, one.inputTokens])).toEqual([
      [behind, 'complete', 3, 1],
      [generationId, 'complete', 3, 1],
    ])
    await expect
      .poll(async () => (await usageOf(user)).models)
      .toMatchObject([{ requests: 2, credits: 6, outputTokens: 3 }])
  })

  it('of an admin state that nothing is charged', async () => {
    const user = await givenUser(billing)
    const generationId = await hold(user, { unlimited: true })
    await billing.finished({ generationId, userId: user.userId, charge: 3 })
    expect(await receiptOf(user, generationId, 'complete')).toMatchObject({
      ...{ held: 0, charged: 0, released: 0, balanceAfter: 100, reason: 'Admins aren’t charged.' },
    })
  })

  it('of an image, made or not, come from the call that settles it', async () => {
    const user = await givenUser(billing)
    const [made, failed] = [await hold(user, { source: 'image' }), await hold(user, { source: 'image' })]
    const settle = (generationId: string, amount: number, outcome: 'complete' | 'error') => {
      const ended = { model: 'picture', source: 'image' as const, outcome, responseMs: 1_200 }
      return billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount, ended } })
    }
    await settle(made, 3, 'complete')
    await settle(made, 3, 'complete')
    await settle(failed, 0, 'error')
    expect(await receiptOf(user, made, 'complete')).toMatchObject({ source: 'image', model: 'picture', charged: 3 })
    expect(await receiptOf(user, failed, 'failed')).toMatchObject({ charged: 0, released: 3, balanceAfter: 97 })
    await expect
      .poll(async () => (await usageOf(user)).models)
      .toMatchObject([{ model: 'picture', requests: 2, credits: 3 }])
  })

  it('of a generation without a hold are charged from the remaining credits', async () => {
    const user = await givenUser(billing)
    const generationId = newId()
    await billing.finished({ generationId, userId: user.userId, charge: 4 })
    expect(await receiptOf(user, generationId, 'complete')).toMatchObject({
      held: 0,
      charged: 4,
      released: 0,
      balanceAfter: 96,
    })
  })

  it('are listed newest first, by pages and within a period, to their owner only', async () => {
    const [user, stranger] = [await givenUser(billing), await givenUser(billing)]
    const ids: string[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      const generationId = await hold(user)
      ids.unshift(generationId)
      await billing.finished({ generationId, userId: user.userId, charge: 1 })
    }
    await expect.poll(async () => (await receiptsOf(user)).items).toHaveLength(5)
    const first = await receiptsOf(user, { limit: 2 })
    const second = await receiptsOf(user, { limit: 2, cursor: first.nextCursor ?? '' })
    const third = await receiptsOf(user, { limit: 2, cursor: second.nextCursor ?? '' })
    expect([...first.items, ...second.items, ...third.items].map(({ generationId }) => generationId)).toEqual(ids)
    expect(third.nextCursor).toBeNull()
    expect((await receiptsOf(user, { from: today(), to: today() })).items).toHaveLength(5)
    expect((await receiptsOf(user, { to: '2020-01-01' })).items).toEqual([])
    expect((await receiptsOf(user, { from: '2100-01-01T00:00:00Z' })).items).toEqual([])
    expect((await receiptsOf(stranger)).items).toEqual([])
    const [id = ''] = ids
    expect((await billing.as(stranger.principal).call(usage.receipt, { params: { generationId: id } })).status).toBe(
      404,
    )
    const asAdmin = billing.as(adminPrincipal())
    const seen = (await asAdmin.call(admin.receipts, { params: { id: user.userId }, query: {} })).body
    expect(seen).toEqual(await receiptsOf(user))
    expect((await asAdmin.call(admin.receipts, { params: { id: 'nobody' }, query: {} })).status).toBe(404)
    expect((await asAdmin.call(usage.receipts, { query: {} })).body.items).toEqual([])
  })

  it.each(['cursor=x', 'cursor=1.', 'from=yesterday', 'from=2026-02-01&to=2026-01-01', 'limit=0', 'limit=201'])(
    'are refused with ?%s (400)',
    async (query) => {
      const { principal } = await givenUser(billing)
      expect((await billing.as(principal).get(`/api/user/receipts?${query}`)).status).toBe(400)
    },
  )
})

describe('the receipt of a generation that died', () => {
  let quick: RunningBilling
  beforeAll(async () => {
    quick = await givenBilling({ holdSeconds: 0.05 })
  })
  afterAll(() => quick.stop())

  it('states the returned hold and, when the end arrives late, the charge after all', async () => {
    const { userId, principal } = await givenUser(quick)
    const generationId = newId()
    const body = { userId, generationId, amount: 40, unlimited: false, model: 'v3', source: 'web' as const }
    await quick.chat.call(internal.hold, { body })
    const receipt = async () => (await quick.as(principal).call(usage.receipt, { params: { generationId } })).body
    await expect.poll(receipt).toMatchObject({ outcome: 'failed', held: 40, charged: 0, released: 40 })
    await quick.finished({ generationId, userId, charge: 30 })
    await expect.poll(receipt).toMatchObject({ outcome: 'complete', charged: 30, released: 10, balanceAfter: 70 })
    expect((await receipt()).reason).toMatch(/had already been returned/)
  })
})

it('the time to first token is reported in total and by day, and each answer counts once', async () => {
  const quiet = await givenBilling()
  const { userId } = await givenUser(quiet)
  const end = () => ({ userId, charge: 1, generationId: newId() })
  const told = async () => (await quiet.as(adminPrincipal()).call(admin.firstToken)).body
  expect(await told()).toEqual({ total: null, days: [] })
  for (const firstTokenMs of [...Array.from({ length: 9 }, () => 400), 9_000]) {
    const data = { ...end(), firstTokenMs }
    await quiet.finished(data)
    await quiet.finished(data)
  }
  await quiet.finished(end())
  await expect.poll(async () => (await told()).total?.answers).toBe(10)
  const { total, days } = await told()
  expect(days).toEqual([{ date: today(), ...total }])
  expect(Math.abs((total?.p50Ms ?? 0) / 400 - 1)).toBeLessThan(0.051)
  expect(Math.abs((total?.p95Ms ?? 0) / 9_000 - 1)).toBeLessThan(0.051)
  const past = { from: '2019-01-01', to: '2019-01-31' }
  expect((await quiet.as(adminPrincipal()).call(admin.firstToken, { query: past })).body.days).toEqual([])
  await quiet.stop()
})

describe('usage', () => {
  const key = async (user: User): Promise<ApiKey> =>
    (await billing.as(user.principal).call(keys.createKey, { body: { label: 'Build' } })).body.key
  const keyOf = async ({ principal }: User) => (await billing.as(principal).call(keys.keys)).body.keys[0] as ApiKey

  it('of a user is summed by model and day, by web and by key, with exact and estimated counts separate', async () => {
    const user = await givenUser(billing)
    const { id: keyId } = await key(user)
    const end = { userId: user.userId, charge: 1 }
    await billing.finished({ ...end, generationId: await hold(user), ...tokens(10, 20) })
    await billing.finished({ ...end, generationId: await hold(user), ...tokens(1, 2) })
    const byKey = { source: 'key' as const, keyId }
    await billing.requestFinished({
      ...end,
      keyId,
      generationId: await hold(user, byKey),
      model: 'big',
      ...tokens(5, 6, true),
    })
    const models = [
      { model: 'v3', requests: 2, inputTokens: 11, outputTokens: 22, credits: 2, estimated: false },
      { model: 'big', requests: 1, inputTokens: 5, outputTokens: 6, credits: 1, estimated: true },
    ]
    await expect.poll(async () => (await usageOf(user)).models).toEqual(models)
    expect((await usageOf(user)).days).toEqual([
      { date: today(), requests: 3, inputTokens: 16, outputTokens: 28, credits: 3, estimated: true },
    ])
    const asAdmin = (id: string) => billing.as(adminPrincipal()).call(admin.userUsage, { params: { id } })
    expect((await asAdmin(user.userId)).body).toEqual(await usageOf(user))
    expect((await asAdmin('nobody')).status).toBe(404)
    expect(await usageOf(user, { to: '2020-01-01' })).toEqual({ models: [], days: [] })
    expect(await usageOf(await givenUser(billing))).toEqual({ models: [], days: [] })
  })

  it('of a key is total, monthly and by day, overall and by model, however often its events are delivered', async () => {
    const user = await givenUser(billing)
    const { id: keyId } = await key(user)
    const end = { keyId, userId: user.userId, charge: 1 }
    for (const [ms, output] of [
      [100, 1],
      [300, 2],
    ] as const) {
      const data = {
        ...end,
        generationId: await hold(user, { source: 'key', keyId }),
        responseMs: ms,
        ...tokens(10, output),
      }
      const eventId = newId()
      await Promise.all(Array.from({ length: 3 }, () => billing.requestFinished(data, eventId)))
      await billing.requestFinished(data)
    }
    const counts = { requests: 2, inputTokens: 20, outputTokens: 3 }
    const used = { ...counts, estimated: false, models: [{ model: 'v3', ...counts, averageResponseMs: 200 }] }
    const days = [{ date: today(), requests: 2 }]
    await expect.poll(async () => (await keyOf(user)).usage).toEqual({ total: used, monthly: used, days })
    await billing.query(`update usage_keys set month = month - interval '1 month' where key_id = '${keyId}'`)
    const none = { requests: 0, inputTokens: 0, outputTokens: 0, estimated: false, models: [] }
    expect((await keyOf(user)).usage).toEqual({ total: used, monthly: none, days })
    const daysAgo = (days: number) =>
      billing.query(`update usage_days set day = (now() at time zone 'UTC')::date - ${days} where key_id = '${keyId}'`)
    await daysAgo(29)
    expect((await keyOf(user)).usage.days).toMatchObject([{ requests: 2 }])
    await daysAgo(30)
    expect((await keyOf(user)).usage.days).toEqual([])
    const receipt = (await receiptsOf(user)).items[0]
    expect(receipt).toMatchObject({ source: 'key', keyId, charged: 1 })
  })

  it('of one key or of all keys is reset by an admin, while its cost stays in the books', async () => {
    const [user, other] = [await givenUser(billing), await givenUser(billing)]
    const root = adminPrincipal()
    const heard = await billing.acts()
    const used = async (owner: User) => {
      const { id: keyId } = await key(owner)
      await billing.requestFinished({ keyId, userId: owner.userId, charge: 1, generationId: newId() })
      await expect.poll(async () => (await keyOf(owner)).usage.total.requests).toBe(1)
      return keyId
    }
    const [keyId] = [await used(user), await used(other)]
    const reset = await billing.as(root).call(keyAdmin.resetUsage, { params: { id: keyId } })
    expect(reset.body.key.usage.total).toMatchObject({ requests: 0, models: [] })
    expect((await keyOf(other)).usage.total.requests).toBe(1)
    const all = await billing.as(root).call(keyAdmin.resetAllUsage)
    expect(all.body.reset).toBeGreaterThanOrEqual(1)
    expect((await keyOf(other)).usage.total.requests).toBe(0)
    expect((await usageOf(user)).models).toMatchObject([{ requests: 1, credits: 1 }])
    expect((await billing.as(root).call(keyAdmin.resetUsage, { params: { id: 'none' } })).status).toBe(404)
    await expect.poll(() => heard.map(({ action }) => action)).toEqual(['key.usage-reset', 'key.all-usage-reset'])
  })

  it('of all users is summed by day, model, user and key, over whole and partial months', async () => {
    const [ann, bob] = [await givenUser(billing), await givenUser(billing)]
    const { id: keyId } = await key(ann)
    for (const table of ['usage_days', 'usage_models', 'usage_months'])
      await billing.query(`delete from ${table} where day < '2020-01-01'`)
    const model = `model-${newId()}`
    const end = { model, charge: 1, ...tokens(1, 1) }
    for (const [month, day] of [
      ['2019-01', '15'],
      ['2019-02', '03'],
      ['2019-03', '20'],
    ]) {
      const sent = [newId(), newId(), newId()] as const
      await billing.requestFinished({ ...end, generationId: sent[0], userId: ann.userId, keyId, responseMs: 50 })
      await billing.finished({ ...end, generationId: sent[1], userId: ann.userId, responseMs: 150 })
      await billing.finished({ ...end, generationId: sent[2], userId: bob.userId, outcome: 'interrupted' })
      await expect
        .poll(
          async () => await billing.query(`select from generations where counted and generation_id = any('{${sent}}')`),
        )
        .toHaveLength(3)
      for (const table of ['usage_days', 'usage_models']) {
        await billing.query(
          `update ${table} set day = '${month}-${day}' where model = '${model}' and day > '2020-01-01'`,
        )
      }
      await billing.query(`update usage_months set day = '${month}-01' where model = '${model}' and day > '2020-01-01'`)
    }
    const all = async (by: string, from: string, to: string) =>
      (await billing.as(adminPrincipal()).call(admin.usage, { query: { by: by as 'day', from, to } })).body.items
    const sums = { inputTokens: 9, outputTokens: 9, credits: 9, estimated: false, errors: 3, averageResponseMs: 100 }
    const days = ['2019-01-15', '2019-02-03', '2019-03-20'].map((date) => ({ date, requests: 3, credits: 3 }))
    const byKey = { keyRequests: 3, keyCredits: 3 }
    expect(await all('model', '2019-01-15', '2019-03-20')).toEqual([
      { id: model, requests: 9, ...byKey, ...sums, days },
    ])
    const byDay = await all('day', '2019-01-01', '2019-03-31')
    expect(byDay.map(({ id, requests }) => [id, requests])).toEqual(days.map(({ date }) => [date, 3]))
    expect(byDay.map(({ keyRequests, keyCredits }) => [keyRequests, keyCredits])).toEqual(days.map(() => [1, 1]))
    const byUser = await all('user', '2019-01-15', '2019-03-20')
    expect(
      byUser.map((item) => [item.id, item.requests, item.errors, item.averageResponseMs, item.days.length]),
    ).toEqual([
      [ann.userId, 6, 0, 100, 3],
      [bob.userId, 3, 3, 0, 3],
    ])
    expect((await all('key', '2019-01-16', '2019-03-19')).map(({ id, requests }) => [id, requests])).toEqual([
      [keyId, 1],
    ])
    expect(await all('user', '2019-04-01', '2019-04-30')).toEqual([])
  })

  it('of an erased user is removed with the receipts, while the sums of all users stay', async () => {
    const user = await givenUser(billing)
    const { id: keyId } = await key(user)
    const model = `model-${newId()}`
    await billing.requestFinished({ keyId, userId: user.userId, charge: 1, model, generationId: newId() })
    await expect.poll(async () => (await usageOf(user)).models).toHaveLength(1)
    const erasure = newId()
    await billing.deleted(user.userId, erasure)
    await expect.poll(() => billing.erasures.told).toContain(`billing ${erasure}`)
    expect(await usageOf(user)).toEqual({ models: [], days: [] })
    expect((await receiptsOf(user)).items).toEqual([])
    expect(await billing.query(`select key_id from usage_keys where key_id = '${keyId}'`)).toEqual([])
    const { items } = (await billing.as(adminPrincipal()).call(admin.usage, { query: { by: 'model', limit: 200 } }))
      .body
    expect(items.find(({ id }) => id === model)).toMatchObject({ requests: 1 })
  })

  it.each([...Object.values(usage), ...Object.values(admin)])(
    '$method $path is closed to guests, banned users and, for admin routes, to users',
    async (route) => {
      const path = `/api${route.path.replace(/:\w+/, 'none')}`
      expect((await billing.as(guestPrincipal()).get(path)).status).toBe(401)
      expect((await billing.as(adminPrincipal({ rights: { isBanned: true } })).get(path)).status).toBe(403)
      if (route.access === 'admin') expect((await billing.as(userPrincipal()).get(path)).status).toBe(403)
    },
  )
})
