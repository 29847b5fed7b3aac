import { billingAdminRoutes, billingRoutes, billingInternalRoutes as internal } from '@parley/contracts'
import { anonymousId, newId } from '@parley/kit'
import { adminPrincipal } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeAll(async () => {
  billing = await givenBilling()
})
afterAll(() => billing.stop())

const hold = (userId: string, generationId = newId()) =>
  billing.chat.call(internal.hold, { body: { userId, generationId, amount: 3, unlimited: false } })

async function erased(userId: string): Promise<void> {
  const id = newId()
  await billing.deleted(userId, id)
  await expect.poll(() => billing.erasures.told).toContain(`billing ${id}`)
}

/** Tables that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = (await billing.query(
    `select table_name as name from information_schema.tables where table_schema = 'billing'`,
  )) as { name: string }[]
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await billing.query(`select from billing.${name} as t where strpos(t::text, '${text}') > 0 limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

it('removes everything of a deleted user, and late events do not bring them back', async () => {
  const user = await givenUser(billing)
  const [open, paid, late] = [newId(), newId(), newId()]
  await hold(user.userId, open)
  await hold(user.userId, paid)
  await billing.finished({ generationId: paid, userId: user.userId, charge: 2 })
  await expect.poll(user.credits).toMatchObject({ held: 3, used: 2 })
  expect(await tablesWith(user.userId)).toEqual(expect.arrayContaining(['accounts', 'holds', 'ledger']))

  await erased(user.userId)
  await expect.poll(() => tablesWith(user.userId)).toEqual([])
  await billing.registered(user.userId)
  await billing.finished({ generationId: late, userId: user.userId, charge: 2 })
  expect((await hold(user.userId)).status).toBe(409)
  expect((await billing.as(user.principal).call(billingRoutes.credits)).status).toBe(404)
  expect(
    (await billing.chat.call(internal.settleHold, { params: { generationId: open }, body: { amount: 3 } })).status,
  ).toBe(404)
  const known = await billing.chat.call(internal.accounts, { body: { userIds: [user.userId] } })
  expect(known.body.accounts).toEqual([])
  // Events later in the topics have been handled, so these have been, too.
  const other = newId()
  await billing.registered(other)
  await billing.finished({ generationId: late, userId: other, charge: 1 })
  await expect
    .poll(async () => (await billing.chat.call(internal.accounts, { body: { userIds: [other] } })).body)
    .toMatchObject({
      accounts: [{ credits: { remaining: 99 } }],
    })
  expect(await tablesWith(user.userId)).toEqual([])
})

it('keeps the books of others, and anonymises a deleted admin’s acts on them', async () => {
  const [user, admin] = [await givenUser(billing), adminPrincipal({ userId: newId() })]
  const as = billing.as(admin)
  await as.call(billingAdminRoutes.grantCredits, { params: { id: user.userId }, body: { amount: 50 } })
  const plan = { name: 'Erased', description: '', monthlyCredits: 7 }
  await as.call(billingAdminRoutes.createPlan, { body: plan as never })
  await hold(user.userId)
  const ledger = () =>
    billing.query(
      `select kind, amount, delta, balance_after, actor_id from ledger where user_id = '${user.userId}' order by id`,
    )
  const before = (await ledger()) as { actor_id: string | null }[]
  expect(before.map(({ actor_id }) => actor_id)).toContain(admin.userId)

  await erased(admin.userId)
  await expect.poll(() => tablesWith(admin.userId)).toEqual([])
  const anonymous = before.map((row) => ({ ...row, actor_id: row.actor_id && anonymousId(admin.userId) }))
  expect(await ledger()).toEqual(anonymous)
  expect(await user.credits()).toMatchObject({ remaining: 147, held: 3 })
})

it('acknowledges an erasure again on request, and needs no data for unknown users', async () => {
  const userId = newId()
  await erased(userId)
  await erased(userId)
  expect(await tablesWith(userId)).toEqual([])
})

it('succeeds while auth is unavailable, and acknowledges when asked again', async () => {
  const user = await givenUser(billing)
  const id = newId()
  billing.erasures.away = true
  await billing.deleted(user.userId, id)
  await expect.poll(() => tablesWith(user.userId)).toEqual([])
  billing.erasures.away = false
  await billing.deleted(user.userId, id)
  await expect.poll(() => billing.erasures.told).toContain(`billing ${id}`)
})
