import { billingAdminRoutes, billingInternalRoutes, moneyAdminRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, userPrincipal } from '@parley/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { givenBilling, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeEach(async () => {
  billing = await givenBilling()
})
afterEach(() => billing.stop())

const dayMs = 86_400_000
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const today = (): string => dayAt(Date.now())
const admin = () => billing.as(adminPrincipal())
const money = async (query: { from?: string; to?: string } = { from: today(), to: today() }) =>
  (await admin().call(moneyAdminRoutes.money, { query })).body
const row = async () => (await money()).days[0]

const answered = async (userId: string, charge: number, unlimited = false): Promise<string> => {
  const generationId = newId()
  await billing.chat.call(billingInternalRoutes.hold, { body: { generationId, userId, amount: charge, unlimited } })
  await billing.finished({ generationId, userId, charge })
  return generationId
}

test('today’s sold, captured and recorded credits are summed once, without unlimited users', async () => {
  const before = await row()
  await billing.ensure('buyer')
  await admin().call(billingAdminRoutes.grantCredits, { params: { id: 'buyer' }, body: { amount: 50 } })
  const sold = (before?.sold ?? 0) + 100 + 50
  await expect.poll(row).toMatchObject({ date: today(), sold, spent: before?.spent })
  const generationId = newId()
  const hold = { generationId, userId: 'buyer', amount: 7, unlimited: false }
  await billing.chat.call(billingInternalRoutes.hold, { body: hold })
  await billing.finished({ generationId, userId: 'buyer', charge: 7 }, 'told-twice')
  await billing.finished({ generationId, userId: 'buyer', charge: 7 }, 'told-twice')
  await answered('buyer', 9, true)
  await expect.poll(row).toMatchObject({ sold, spent: (before?.spent ?? 0) + 7, recorded: (before?.recorded ?? 0) + 7 })
  expect(await row()).toMatchObject({ drift: 0 })
})

test('the cost of providers is that of the latest figures of a day', async () => {
  const yesterday = dayAt(Date.now() - dayMs)
  const told = (calls: number, cost: number, date = today()): Promise<void> =>
    billing.providerUsed({ date, calls, inputTokens: 10, outputTokens: 10, cost })
  const costs = async () => (await money({ from: yesterday, to: today() })).days.map(({ providerCost }) => providerCost)
  await told(2, 3_400_000)
  await told(3, 5_600_000)
  await expect.poll(costs).toEqual([0, 6])
  // Those of another day arrive after the earlier ones of today.
  await told(2, 3_400_000)
  await told(1, 2_000_000, yesterday)
  await expect.poll(costs).toEqual([2, 6])
})

test('a past day raises one alarm for each difference of its books, but none for figures of providers that began on it', async () => {
  const [bad, good, uncounted] = [4, 3, 2].map((days) => dayAt(Date.now() - days * dayMs))
  // At the first moment of the day, which is no part of the day before.
  type Settled = { day: string | undefined; id: string; charged?: number; recorded: number; counted?: boolean }
  const settle = ({ day, id, charged = 5, recorded, counted = true }: Settled) => `
    insert into billing.holds (generation_id, user_id, amount, unlimited, from_monthly, from_granted, period, state, charged, expires_at, settled_at)
    values ('${id}', 'past', 5, ${charged === 0}, ${charged}, 0, 1, 'captured', ${charged}, '${day}T00:00:00Z', '${day}T00:00:00Z');
    insert into billing.generations (generation_id, user_id, at, model, source, outcome, charged, balance_after, input_tokens, output_tokens, estimated, ended_at)
    values ('${id}', 'past', '${day}T00:00:00Z', 'v3', 'web', 'complete', ${recorded}, 0, 1, 1, false, '${day}T00:00:00Z');
    insert into billing.ledger (user_id, at, kind, amount, delta, balance_after, period, generation_id)
    values ('past', '${day}T00:00:00Z', 'capture', 5, 0, 0, 1, '${id}');
    update billing.generations set counted = ${counted} where generation_id = '${id}'`
  const providers = `
    insert into billing.provider_days (day, calls, input_tokens, output_tokens, cost)
    values ('${bad}', 1, 0, 0, 0), ('${good}', 1, 1, 0, 0), ('${uncounted}', 1, 1, 0, 0)`
  // What is not in the sums of usage yet is not recorded, and the capture of an unlimited user took nothing.
  const settled = [
    { day: good, id: 'good', recorded: 5 },
    { day: good, id: 'unlimited', charged: 0, recorded: 0 },
    { day: bad, id: 'bad', recorded: 4 },
    { day: uncounted, id: 'uncounted', recorded: 5, counted: false },
  ].map(settle)
  await billing.query(`begin; ${settled.join(';')}; ${providers}; commit`)
  const period = { from: bad, to: today() }
  await expect
    .poll(async () => (await money(period)).alarms)
    .toEqual([
      { date: uncounted, kind: 'ledger', expected: 5, found: 0, at: expect.any(String) },
      { date: good, kind: 'provider', expected: 4, found: 1, at: expect.any(String) },
      { date: bad, kind: 'ledger', expected: 5, found: 4, at: expect.any(String) },
    ])
  const shown = (await money(period)).days.map(({ date, spent, recorded, drift }) => [date, spent, recorded, drift])
  expect(shown.slice(0, 3)).toEqual([
    [bad, 5, 4, 1],
    [good, 5, 5, 0],
    [uncounted, 5, 0, 5],
  ])
  expect(shown).toHaveLength(5)
  await expect.poll(async () => (await billing.query('select day from billing.money_checks')).length).toBe(3)
  const counted = async () => {
    const metrics = await Promise.all([admin(), billing.replica(adminPrincipal())].map((api) => api.get('/metrics')))
    return metrics
      .map(({ text }) => Number(/billing_money_alarms_total\{[^}]*"ledger"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0))
      .reduce((sum, alarms) => sum + alarms)
  }
  await expect.poll(counted).toBe(2)
})

test('the days of money are also a CSV file', async () => {
  const [from, to] = ['2026-02-27', '2026-03-01']
  const { headers, text } = await admin().get(`/api/admin/money?from=${from}&to=${to}&format=csv`)
  expect(headers['content-type']).toMatch(/^text\/csv/)
  const lines = text.split('\r\n')
  expect(lines[0]).toBe('date,sold,spent,recorded,providerCost,drift')
  expect(lines.slice(1).map((line) => line.split(',', 1)[0])).toEqual([from, '2026-02-28', to, ''])
})

test('money is shown to admins only, for periods of limited length', async () => {
  expect((await billing.as(userPrincipal()).get('/api/admin/money')).status).toBe(403)
  expect((await admin().get('/api/admin/money')).status).toBe(200)
  expect((await admin().get('/api/admin/money?from=1900-01-01')).status).toBe(400)
  expect((await admin().get('/api/admin/money?from=2030-01-02&to=2030-01-01')).status).toBe(400)
})
