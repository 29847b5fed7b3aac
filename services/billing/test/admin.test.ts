import { billingAdminRoutes as admin, billingInternalRoutes as internal, keyRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, guestPrincipal, servicePrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

describe('administration of plans and credits', () => {
  let billing: RunningBilling
  beforeAll(async () => {
    billing = await givenBilling()
  })
  afterAll(() => billing.stop())
  const asAdmin = () => billing.as(adminPrincipal())
  const createPlan = async (monthlyCredits = 10) =>
    (await asAdmin().call(admin.createPlan, { body: { name: 'Team', monthlyCredits } })).body.plan

  it('creates a plan with defaults, updates it partially and lists it', async () => {
    const created = await asAdmin().call(admin.createPlan, { body: { name: 'Team', monthlyCredits: 7 } })
    expect(created.status).toBe(201)
    const { plan } = created.body
    expect(plan).toMatchObject({ name: 'Team', description: '', monthlyCredits: 7, default: false })
    const changed = await asAdmin().call(admin.updatePlan, { params: { id: plan.id }, body: { name: 'Group' } })
    expect(changed.body.plan).toEqual({ ...plan, name: 'Group', version: 2 })
    const listed = (await asAdmin().call(admin.plans)).body.plans.find((one) => one.id === plan.id)
    expect(listed).toEqual({ ...plan, name: 'Group', version: 2, users: 0 })
  })

  it('creates a plan as the default one', async () => {
    const add = (isDefault: boolean) =>
      asAdmin().call(admin.createPlan, { body: { name: 'Team', monthlyCredits: 7, default: isDefault } })
    const [usual, plain] = [(await asAdmin().call(admin.plans)).body.plans.find((one) => one.default), await add(false)]
    expect(plain.body.plan).toMatchObject({ default: false })
    const made = await add(true)
    expect(made).toMatchObject({ status: 201, body: { plan: { name: 'Team', default: true } } })
    const defaults = (await asAdmin().call(admin.plans)).body.plans.filter((one) => one.default)
    expect(defaults.map(({ id }) => id)).toEqual([made.body.plan.id])
    await asAdmin().call(admin.setDefaultPlan, { params: { id: usual?.id ?? '' } })
  })

  it('refuses an update of an outdated version of a plan, and returns the current one (409)', async () => {
    const plan = await createPlan()
    const set = (body: Record<string, unknown>) => asAdmin().call(admin.updatePlan, { params: { id: plan.id }, body })
    expect((await set({ name: 'First', version: 1 })).body.plan).toMatchObject({ version: 2 })
    expect(await set({ name: 'Second', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'conflict', current: { id: plan.id, name: 'First', version: 2 } },
    })
    expect((await set({ name: 'Third' })).body.plan).toMatchObject({ name: 'Third', version: 3 })
  })

  it('lists plans with their number of users, also as CSV, and gives auth a plan’s users and a user’s usage', async () => {
    const plan = await createPlan()
    const [first, second] = [await givenUser(billing), await givenUser(billing)]
    for (const { userId } of [first, second])
      await asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: plan.id } })
    const listed = (await asAdmin().call(admin.plans)).body.plans.find(({ id }) => id === plan.id)
    expect(listed).toEqual({ ...plan, users: 2 })
    const { text } = await asAdmin().call(admin.plans, { query: { format: 'csv' } })
    expect(text).toContain(`${plan.id},Team,,10,60,60000,false,1,2\r\n`)
    const asAuth = billing.as(servicePrincipal('auth'))
    const { userIds } = (await asAuth.call(internal.planUsers, { params: { id: plan.id } })).body
    expect(userIds?.toSorted()).toEqual([first.userId, second.userId].sort())
    const among = { userIds: [second.userId, (await givenUser(billing)).userId, 'nobody'] }
    const members = await asAuth.call(internal.planMembers, { params: { id: plan.id }, body: among })
    expect(members.body).toEqual({ userIds: [second.userId] })
    expect((await asAuth.call(internal.accountTotals, { params: { id: first.userId } })).body).toEqual({
      keys: 0,
      usage: { requests: 0, inputTokens: 0, outputTokens: 0, credits: 0 },
    })
  })

  it('gives auth no part of the users of a plan if they are too many', async () => {
    const plan = await createPlan()
    const add = (from: number, to: number) =>
      billing.query(`
        insert into billing.accounts (user_id, plan_id, anchor, period_start, period_end)
        select 'many' || n, '${plan.id}', now(), now(), now() + interval '1 month' from generate_series(${from}, ${to}) n`)
    const users = async () =>
      (await billing.as(servicePrincipal('auth')).call(internal.planUsers, { params: { id: plan.id } })).body.userIds
    await add(1, 5_000)
    expect(await users()).toHaveLength(5_000)
    await add(5_001, 5_001)
    expect(await users()).toBeNull()
  })

  it('gives auth the names of plans and keys, known ones only', async () => {
    const plan = await createPlan()
    const { key } = (await billing.as(userPrincipal()).call(keyRoutes.createKey, { body: { label: 'Script' } })).body
    const body = { planIds: [plan.id, 'none'], keyIds: [key.id, plan.id] }
    const answer = await billing.as(servicePrincipal('auth')).call(internal.names, { body })
    expect(answer.body.names).toEqual({ [plan.id]: 'Team', [key.id]: 'Script' })
  })

  it('undoes a change of a plan and an assignment for auth, once, and only while nothing has changed since', async () => {
    const asAuth = billing.as(servicePrincipal('auth'))
    type State = Record<string, unknown>
    const undo = (act: {
      entryId: string
      action: string
      target: string
      before: State
      after: State
      undone?: boolean
    }) => asAuth.call(internal.undo, { body: { actorId: 'admin-1', ...act } })
    const plan = await createPlan()
    const changed = (await asAdmin().call(admin.updatePlan, { params: { id: plan.id }, body: { monthlyCredits: 20 } }))
      .body
    const act = { entryId: newId(), action: 'plan.changed', target: plan.id, before: plan, after: changed.plan }
    await asAdmin().call(admin.updatePlan, { params: { id: plan.id }, body: { name: 'Beside' } })
    const undone = await undo(act)
    expect(undone).toMatchObject({ status: 200, body: { after: { monthlyCredits: 10, name: 'Beside', version: 4 } } })
    const again = { status: 409, body: { current: { monthlyCredits: 10 }, details: [{ path: 'monthlyCredits' }] } }
    expect(await undo(act)).toMatchObject(again)
    const alreadyUndone = 'This has already been undone.'
    expect(await undo({ ...act, undone: true })).toMatchObject({
      status: 409,
      body: { error: alreadyUndone, current: { id: plan.id, monthlyCredits: 10 } },
    })
    await asAdmin().call(admin.updatePlan, { params: { id: plan.id }, body: { monthlyCredits: 20 } })
    expect(await undo(act)).toMatchObject({ status: 409, body: { error: 'This has already been undone.' } })
    const { userId, credits } = await givenUser(billing)
    const assign = (planId: string) => asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId } })
    await assign(plan.id)
    const assigned = { action: 'plan.assigned', before: { planId: 'free' }, after: { planId: plan.id } }
    const assignment = { entryId: newId(), target: userId, ...assigned }
    await assign('plus')
    expect(await undo(assignment)).toMatchObject({ status: 409, body: { current: { planId: 'plus' } } })
    await assign(plan.id)
    expect((await undo(assignment)).body).toMatchObject({ before: { planId: plan.id }, after: { planId: 'free' } })
    expect(await credits()).toMatchObject({ plan: { id: 'free' }, remaining: 100 })
    await assign(plan.id)
    for (const undone of [false, true]) {
      const { status, body } = await undo({ ...assignment, undone })
      expect([status, body]).toMatchObject([409, { error: alreadyUndone, current: { planId: plan.id } }])
    }
    expect(await credits()).toMatchObject({ plan: { id: plan.id } })
    const granted = { ...assignment, entryId: newId(), action: 'credits.granted' }
    expect(await undo(granted)).toMatchObject({ status: 422, body: { code: 'not_reversible' } })
  })

  it('deletes an unused plan, but neither the default nor one in use', async () => {
    const plan = await createPlan()
    const { userId } = await givenUser(billing)
    await asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: plan.id } })
    const remove = (id: string) => asAdmin().call(admin.removePlan, { params: { id } })
    expect(await remove(plan.id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await remove('free')).status).toBe(409)
    await asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: 'free' } })
    expect((await remove(plan.id)).status).toBe(204)
    expect((await remove(plan.id)).status).toBe(404)
  })

  it('moves all users of a plan to another at once, as one act with their number, so that the plan can be deleted', async () => {
    const plan = await createPlan()
    const users = [await givenUser(billing), await givenUser(billing), await givenUser(billing)]
    const [first] = users as [(typeof users)[0]]
    for (const { userId } of users)
      await asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: plan.id } })
    await asAdmin().call(admin.grantCredits, { params: { id: first.userId }, body: { amount: 50 } })
    const acts = await billing.acts()
    const move = (id: string, planId: string) =>
      asAdmin().call(admin.movePlanUsers, { params: { id }, body: { planId } })
    const told = billing.creditChanges.length
    expect(await move(plan.id, 'plus')).toMatchObject({ status: 200, body: { done: true } })
    await expect
      .poll(() => billing.creditChanges.slice(told).toSorted())
      .toEqual(users.map(({ userId }) => userId).sort())
    expect(await first.credits()).toMatchObject({ plan: { id: 'plus' }, remaining: 1_050 })
    await expect
      .poll(() => acts.filter(({ action }) => action === 'plan.users-moved'))
      .toMatchObject([{ target: plan.id, targetName: 'Team', after: { planId: 'plus', users: 3 } }])
    expect(acts.find(({ action }) => action === 'plan.users-moved')?.reversible).not.toBe(true)
    expect((await asAdmin().call(admin.removePlan, { params: { id: plan.id } })).status).toBe(204)
    expect((await move('plus', 'plus')).status).toBe(400)
    expect((await move('plus', 'none')).status).toBe(404)
  })

  it('resumes a move of users that another process left unfinished, and refuses another one meanwhile (409)', async () => {
    const plan = await createPlan()
    const { userId, credits } = await givenUser(billing)
    await asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: plan.id } })
    await billing.whileLocked(userId, async () => {
      await billing.query(`insert into plan_move (from_plan, to_plan, actor_id, request_id, event_id, at)
        values ('${plan.id}', 'plus', 'admin-1', 'request', '${newId()}', now())`)
      const other = { params: { id: 'pro' }, body: { planId: 'plus' } }
      const refused = await billing.replica(adminPrincipal()).call(admin.movePlanUsers, other)
      expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    })
    await expect.poll(credits).toMatchObject({ plan: { id: 'plus' }, remaining: 1_000 })
    await expect.poll(() => billing.query('select from plan_move')).toEqual([])
  })

  it('moves the default plan, which new users get', async () => {
    const moved = await asAdmin().call(admin.setDefaultPlan, { params: { id: 'plus' } })
    expect(moved.body.plan).toMatchObject({ id: 'plus', default: true })
    const newcomer = await givenUser(billing)
    expect(await newcomer.credits()).toMatchObject({ remaining: 1_000, plan: { id: 'plus' } })
    await asAdmin().call(admin.setDefaultPlan, { params: { id: 'free' } })
    const defaults = (await asAdmin().call(admin.plans)).body.plans.filter((plan) => plan.default)
    expect(defaults.map((plan) => plan.id)).toEqual(['free'])
  })

  it('assigns a plan during a hold: its full month starts, grants stay, and the rest of the old month lapses', async () => {
    const { userId, credits } = await givenUser(billing)
    const generationId = newId()
    await asAdmin().call(admin.grantCredits, { params: { id: userId }, body: { amount: 50 } })
    await billing.chat.call(internal.hold, { body: { userId, amount: 120, generationId, unlimited: false } })
    const assigned = await asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: 'plus' } })
    expect(assigned.body.credits).toMatchObject({ remaining: 1_030, held: 120, plan: { id: 'plus' } })
    await billing.chat.call(internal.settleHold, { params: { generationId }, body: { amount: 0 } })
    expect(await credits()).toMatchObject({ remaining: 1_050, held: 0, used: 0 })
  })

  it('grants exactly the sum of 50 concurrent grants', async () => {
    const { userId, credits } = await givenUser(billing)
    const call = () => asAdmin().call(admin.grantCredits, { params: { id: userId }, body: { amount: 10 } })
    const statuses = (await Promise.all(Array.from({ length: 50 }, call))).map((answer) => answer.status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await credits()).toMatchObject({ remaining: 600 })
  })

  it('grants once per admin, Idempotency-Key and user, however often the request is repeated, and refuses another amount (409)', async () => {
    const [first, second, acts] = [await givenUser(billing), await givenUser(billing), await billing.acts()]
    const someone = adminPrincipal()
    const answerOf = (userId: string, amount: number, key = 'the-key', api = billing.as(someone)) =>
      api.call(admin.grantCredits, {
        ...{ params: { id: userId }, body: { amount }, headers: { 'idempotency-key': key } },
      })
    const grant = async (...asked: Parameters<typeof answerOf>) => (await answerOf(...asked)).body.credits.remaining
    const repeats = [billing.as(someone), billing.replica(someone), billing.as(someone)]
    expect(await Promise.all(repeats.map((api) => grant(first.userId, 10, 'the-key', api)))).toEqual([110, 110, 110])
    expect(await grant(first.userId, 10)).toBe(110)
    expect(await grant(second.userId, 10)).toBe(110)
    expect(await answerOf(first.userId, 7)).toMatchObject({
      status: 409,
      body: { code: 'conflict', error: 'Another request was already made with this Idempotency-Key' },
    })
    expect(await first.credits()).toMatchObject({ remaining: 110 })
    for (const malformed of ['', 'x'.repeat(256), 'clé', 'two words']) {
      expect(await answerOf(first.userId, 10, malformed), malformed).toMatchObject({
        ...{ status: 400, body: { code: 'validation_failed' } },
      })
    }
    const amounts = [1, 2, 3].map((amount) => answerOf(second.userId, amount, 'raced'))
    expect((await Promise.all(amounts)).map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await grant(first.userId, 10, 'another')).toBe(120)
    expect(await grant(first.userId, 10, 'the-key', asAdmin())).toBe(130)
    const told = () => acts.filter(({ action, target }) => action === 'credits.granted' && target === first.userId)
    await expect.poll(told).toHaveLength(3)
  })

  it('waits for a user whose registration has not arrived yet', async () => {
    const userId = newId()
    const granting = asAdmin().call(admin.grantCredits, { params: { id: userId }, body: { amount: 5 } })
    await billing.registered(userId)
    expect(await granting).toMatchObject({ status: 200, body: { credits: { remaining: 105 } } })
  })

  it.each([-10, 0, 0.3, 1e308, '10', null])('refuses to grant %j', async (amount) => {
    const { userId, credits } = await givenUser(billing)
    const answer = await asAdmin().post(`/api/admin/users/${userId}/credits`, { amount })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(await credits()).toMatchObject({ remaining: 100 })
  })

  it('answers 404 for unknown users and plans', async () => {
    const { userId } = await givenUser(billing)
    const [grant, assign, unknownPlan, update, makeDefault] = await Promise.all([
      asAdmin().call(admin.grantCredits, { params: { id: 'nobody' }, body: { amount: 5 } }),
      asAdmin().call(admin.assignPlan, { params: { id: 'nobody' }, body: { planId: 'free' } }),
      asAdmin().call(admin.assignPlan, { params: { id: userId }, body: { planId: 'none' } }),
      asAdmin().call(admin.updatePlan, { params: { id: 'none' }, body: { name: 'X' } }),
      asAdmin().call(admin.setDefaultPlan, { params: { id: 'none' } }),
    ])
    const statuses = [grant, assign, unknownPlan, update, makeDefault].map((answer) => answer.status)
    expect(statuses).toEqual([404, 404, 404, 404, 404])
  })

  it.each(Object.values(admin))('lets only admins call $method $path', async (route) => {
    const path = `/api${route.path.replace(':id', 'free')}`
    const send = (principal: Parameters<RunningBilling['as']>[0]) => billing.as(principal).send(route.method, path)
    expect(await send(guestPrincipal())).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await send(userPrincipal())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const banned = adminPrincipal({ rights: { isBanned: true } })
    expect(await send(banned)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
  })
})
