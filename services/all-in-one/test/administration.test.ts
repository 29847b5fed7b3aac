import {
  type ActiveUsers,
  consumerGroups,
  type Health,
  modelAdminRoutes,
  publicRoutes,
  type ServiceHealth,
  serviceNames,
  subscriptions,
} from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { newId } from '@parley/kit'
import { pathOf, testLog, untilPasses, waitUntil } from '@parley/testing'
import { connectSocket } from '@parley/testing/socket-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seed } from '../src/seed/seed.ts'
import { openWorld, type Person, unlimited, type World } from './given.ts'

interface Entry {
  readonly id: string
  readonly action: string
  readonly target: { readonly id: string | null }
  readonly before: unknown
  readonly after: unknown
  readonly undoes?: string
}

describe('administration', () => {
  let world: World
  let admin: Person
  let user: Person
  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    ;[admin, user] = [await world.admin(), await world.register()]
  })
  afterAll(() => world.close())

  const newestEntries = async (): Promise<Entry[]> =>
    ((await admin.api.get('/api/admin/audit?limit=200')).body as { entries: Entry[] }).entries
  /** Waits for the newest entry that is not in `known`. */
  const entry = (action: string, target: string | null, known: readonly Entry[] = []): Promise<Entry> =>
    waitUntil(async () => {
      const found = (await newestEntries()).filter((one) => one.action === action && one.target.id === target)
      return found.find(({ id }) => !known.some((one) => one.id === id))
    }, `${action} of ${target} in the audit log`)

  it('records every change of plans in the audit log, from whichever service', async () => {
    const someone = await world.register()
    const headers = { 'x-request-id': 'request-of-the-admin' }
    const fields = { name: 'Team', monthlyCredits: 7, default: true }
    const made = await admin.api.post('/api/admin/plans', fields, { headers })
    const { plan } = made.body as { plan: { id: string } }
    expect(await entry('plan.created', plan.id)).toMatchObject({
      actor: { username: 'admin' },
      target: { type: 'plan', name: 'Team' },
      requestId: 'request-of-the-admin',
      before: null,
      after: { name: 'Team', monthlyCredits: 7, default: false },
    })
    await admin.api.patch(`/api/admin/plans/${plan.id}`, { monthlyCredits: 8 })
    expect(await entry('plan.changed', plan.id)).toMatchObject({
      before: { monthlyCredits: 7 },
      after: { monthlyCredits: 8 },
    })
    expect(await entry('plan.made-default', plan.id)).toMatchObject({ before: { planId: 'free' } })
    await admin.api.post('/api/admin/plans/free/default')
    expect(await entry('plan.made-default', 'free')).toMatchObject({ before: { planId: plan.id } })
    await admin.api.post(`/api/admin/users/${someone.user._id}/plan`, { planId: 'plus' })
    expect(await entry('plan.assigned', someone.user._id)).toMatchObject({
      before: { planId: 'free' },
      after: { planId: 'plus' },
    })
    await admin.api.post(`/api/admin/users/${someone.user._id}/credits`, { amount: 50 })
    expect(await entry('credits.granted', someone.user._id)).toMatchObject({ after: { amount: 50 } })
    await admin.api.delete(`/api/admin/plans/${plan.id}`)
    expect(await entry('plan.deleted', plan.id)).toMatchObject({ before: { name: 'Team' }, after: null })
  })

  it('records every change of models in the audit log, without values of headers', async () => {
    const customHeaders = [{ name: 'x-team', value: 'canary-of-a-header' }]
    const id = `audited-${newId().slice(0, 8)}`
    const body = { id, name: 'Audited', provider: 'deepseek', group: 'Test', customHeaders } as const
    expect((await admin.api.call(modelAdminRoutes.create, { body })).status).toBe(201)
    expect(await entry('model.created', id)).toMatchObject({ before: null, after: { name: 'Audited' } })
    await admin.api.patch(`/api/admin/models/${id}`, { enabled: false })
    expect(await entry('model.changed', id)).toMatchObject({
      before: { enabled: true },
      after: { enabled: false },
    })
    const known = await newestEntries()
    await admin.api.patch('/api/admin/models', { enabled: false, provider: 'xai' })
    const toggled = await entry('models.toggled', 'xai', known)
    expect(toggled).toMatchObject({ target: { type: 'provider' }, after: { enabled: false, count: 1 } })
    await admin.api.patch('/api/admin/models', { enabled: true, provider: 'xai' })
    await admin.api.delete(`/api/admin/models/${id}`)
    expect(await entry('model.deleted', id)).toMatchObject({ before: { name: 'Audited' }, after: null })
    expect((await admin.api.get('/api/admin/audit?limit=200')).text).not.toContain('canary-of-a-header')
  })

  it("undoes admins' acts in other services, once, with an entry that references the first", async () => {
    const undo = (id: string) => admin.api.post(`/api/admin/audit/${id}/undo`)
    const plan = (await admin.api.post('/api/admin/plans', { name: 'Once', monthlyCredits: 7 })).body as {
      plan: { id: string }
    }
    await admin.api.patch(`/api/admin/plans/${plan.plan.id}`, { monthlyCredits: 8 })
    const changed = await entry('plan.changed', plan.plan.id)
    const undone = await undo(changed.id)
    expect(undone).toMatchObject({
      status: 200,
      body: {
        entry: {
          ...{ action: 'plan.changed', undoes: changed.id, reversible: true, actor: { username: 'admin' } },
          ...{ before: { monthlyCredits: 8 }, after: { monthlyCredits: 7 }, target: { name: 'Once' } },
        },
      },
    })
    const { id } = (undone.body as { entry: Entry }).entry
    const { entries } = (await admin.api.get(`/api/admin/audit?target=${plan.plan.id}`)).body as { entries: Entry[] }
    expect(entries.find((one) => one.id === changed.id)).toMatchObject({ undoneBy: id })
    expect(await undo(changed.id)).toMatchObject({
      ...{ status: 409, body: { code: 'conflict', error: 'This has already been undone.' } },
    })
    expect(await undo((await entry('plan.created', plan.plan.id)).id)).toMatchObject({
      status: 422,
      body: { code: 'not_reversible' },
    })
    const known = await newestEntries()
    await admin.api.patch('/api/admin/models', { enabled: false, provider: 'google' })
    const toggled = await entry('models.toggled', 'google', known)
    expect((await undo(toggled.id)).status).toBe(200)
    const models = (await admin.api.get('/api/admin/models?provider=google')).body as { models: { enabled: boolean }[] }
    expect(models.models.map(({ enabled }) => enabled)).toEqual([true, true])
    await admin.api.patch(`/api/admin/plans/${plan.plan.id}`, { monthlyCredits: 9 })
    expect(await undo(id)).toMatchObject({
      status: 409,
      body: { current: { monthlyCredits: 9 }, details: [{ path: 'monthlyCredits' }] },
    })
    expect((await undo('no-such-entry')).status).toBe(404)
    expect((await user.api.post(`/api/admin/audit/${id}/undo`)).status).toBe(403)
    await admin.api.delete(`/api/admin/plans/${plan.plan.id}`)
    await entry('plan.deleted', plan.plan.id)
  })

  it('shows seeded users with plan, usage, keys and audit entries, filtered and as CSV', async () => {
    const database = openPostgres({ url: world.databaseUrl, schema: 'public', unlimited: true, log: testLog })
    try {
      // A count from before the seeding, of whose users nobody may have been seen today yet.
      await database.pool.query(`
        insert into auth.active_days values ((now() at time zone 'UTC')::date, 0) on conflict (day) do update set users = 0`)
      await seed(database, { users: 60, keys: 5, entries: 40, models: 3 })
      await seed(database, { users: 60, keys: 5, entries: 40, models: 3 })
      const { rows } = await database.pool.query(`
        select day::text from billing.usage_days
        where user_id in (select md5('seed' || n) from generate_series(1, 60) as n) order by ctid`)
      const days = rows.map(({ day }) => String(day))
      expect(days).toHaveLength(30 * 12 + 5 * 12)
      expect(days).toEqual(days.toSorted())
    } finally {
      await database.close()
    }
    const get = async (path: string) => (await admin.api.get(path)).body
    const { stats } = (await get('/api/admin/stats')) as { stats: { activeToday: number } }
    expect(stats.activeToday).toBeGreaterThan(0)
    const active = (await get('/api/admin/active-users')) as ActiveUsers
    expect(active.days.at(-1)).toEqual({ date: expect.any(String), users: stats.activeToday })
    const { users } = (await get('/api/admin/users?query=seeded-&plan=plus&limit=200')) as { users: { _id: string }[] }
    expect(users).toHaveLength(6)
    expect(await get(`/api/admin/users/${users[0]?._id}`)).toMatchObject({
      ...{ user: { plan: { id: 'plus' } }, sessions: 0 },
      usage: { requests: expect.any(Number) },
    })
    const { keys } = (await get('/api/admin/keys?query=seeded-')) as {
      keys: { usage: { total: { requests: number } } }[]
    }
    expect(keys.map(({ usage }) => usage.total.requests > 0)).toEqual([true, true, true, true, true])
    expect(((await get('/api/admin/models?query=seeded-')) as { models: unknown[] }).models).toHaveLength(3)
    const file = await admin.api.get('/api/admin/audit?action=user.banned&actor=admin&format=csv')
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(file.text.split('\r\n').filter((line) => line.includes('seeded-'))).toHaveLength(20)
  })

  it("lets an admin view the product as a user, read-only and without the user's texts, and return with the admin's own token", async () => {
    const path = `/api/admin/users/${user.user._id}/view-as`
    const { token } = (await admin.api.post(path)).body as { token: string }
    const viewing = world.at().with({ authorization: `Bearer ${token}` })
    expect(await viewing.get('/api/user/profile')).toMatchObject({
      status: 200,
      body: { user: { _id: user.user._id, isAdmin: false } },
    })
    expect((await viewing.get('/api/user/credits')).status).toBe(200)
    expect((await viewing.get('/api/chat/models/hierarchy')).status).toBe(200)
    const routes = publicRoutes.filter(
      ({ access, viewable, method }) => !viewable && !(access === 'public' && method === 'GET'),
    )
    for (const route of routes.filter(({ access }) => access !== 'key')) {
      const answer = await viewing.send(route.method, pathOf(route, { params: { id: 'none', group: 'chat.bans' } }), {
        ...(route.body && { body: {} }),
      })
      expect([answer.status, answer.body], `${route.method} ${route.path}`).toEqual([
        403,
        expect.objectContaining({ code: 'forbidden' }),
      ])
    }
    const refusedSocket = { data: { code: 'unauthenticated' } }
    await expect(connectSocket(world.replicas[0]?.url ?? '', token)).rejects.toMatchObject(refusedSocket)
    expect((await user.api.post(path)).status).toBe(403)
    expect((await admin.api.get('/api/user/profile')).body).toMatchObject({ user: { username: 'admin' } })
    expect((await admin.api.get('/api/admin/stats')).status).toBe(200)
  })

  it('writes no audit entry for a refused change', async () => {
    const before = (await admin.api.get('/api/admin/audit')).text
    await admin.api.delete('/api/admin/plans/free')
    await admin.api.delete('/api/admin/models/no-such-model')
    await admin.api.post('/api/admin/users/nobody/credits', { amount: 5 })
    await user.api.post('/api/admin/plans', { name: 'Mine', monthlyCredits: 7 })
    const outboxes = 'select 1 from billing.outbox union all select 1 from llm_router.outbox'
    await expect.poll(() => world.query(outboxes)).toEqual([])
    expect((await admin.api.get('/api/admin/audit')).text).toBe(before)
  })

  it('shows every service with its engines and the lag of its consumers', async () => {
    await untilPasses(async () => {
      const { body } = await admin.api.get('/api/admin/health')
      const { services } = body as { services: ServiceHealth[] }
      expect(services.map(({ name, ready, failed }) => [name, ready, failed])).toEqual(
        serviceNames.map((name) => [name, true, []]),
      )
      const groupsOf = (service: string): string[] => {
        const engines = services.find(({ name }) => name === service)?.engines
        return Object.keys(engines?.find(({ name }) => name === 'bus')?.lag ?? {}).toSorted()
      }
      expect(groupsOf('auth')).toEqual(['auth.audit', 'auth.erasures'])
      expect(groupsOf('billing')).toEqual([
        'billing.accounts-and-settlements',
        'billing.data-exports',
        'billing.erasures',
      ])
    })
  })

  it('shows the replicas of every service with their version, the outboxes and the mail queue', async () => {
    const replica = {
      id: expect.any(String),
      host: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    }
    await untilPasses(async () => {
      const { body } = await admin.api.get('/api/admin/health')
      const { services, breakers, deadLetters, certificates } = body as Health
      const behind = services.filter(({ name }) => name !== 'gateway')
      for (const { name, replicas } of behind) {
        expect(replicas, name).toMatchObject([{ ...replica, node: process.versions.node, ready: true, failed: [] }])
      }
      const publishing = behind.filter(({ outbox }) => outbox !== undefined).map(({ name }) => name)
      expect(publishing).toEqual(['auth', 'chat', 'llm-router', 'billing', 'notifier'])
      expect(services.find(({ name }) => name === 'notifier')?.mailQueue).toMatchObject({ waiting: expect.any(Number) })
      // Its only servers are its own inbox and address, both without TLS.
      expect([breakers, deadLetters, certificates]).toEqual([[], [], []])
    })
  })

  it('replays or drops dead letters of any group, and records both in the audit log', async () => {
    const letter = (group: string, position: number) =>
      world.query(
        `insert into bus.dead_letters (consumer_group, position, event, error) values ($1, $2, $3, 'Error: poison')`,
        [group, position, JSON.stringify(banned)],
      )
    const banned = {
      ...{ type: 'auth.user-banned', id: 'letter', v: 1, key: 'nobody', data: { userId: 'nobody' } },
      at: new Date().toISOString(),
    }
    const shown = async () => ((await admin.api.get('/api/admin/health')).body as Health).deadLetters
    await world.query('delete from bus.dead_letters')
    await letter('chat.bans', 1)
    await letter('billing.erasures', 1)
    await letter('billing.erasures', 2)
    await letter('billing.data-exports', 1)
    expect(await shown()).toEqual(
      expect.arrayContaining([
        { group: 'chat.bans', count: 1, oldestAt: expect.any(String) },
        { group: 'billing.erasures', count: 2, oldestAt: expect.any(String) },
      ]),
    )
    const replayed = await admin.api.post('/api/admin/dead-letters/chat.bans/replay')
    expect([replayed.status, replayed.body]).toEqual([200, { replayed: 1 }])
    const dropped = await admin.api.delete('/api/admin/dead-letters/billing.erasures')
    expect([dropped.status, dropped.body]).toEqual([200, { dropped: 2 }])
    expect(await shown()).toMatchObject([{ group: 'billing.data-exports', count: 1 }])
    await world.query('delete from bus.dead_letters')
    expect(await entry('dead-letters.replayed', 'chat.bans')).toMatchObject({
      ...{ actor: { username: 'admin' }, before: { count: 1, oldestAt: expect.any(String) } },
    })
    expect(await entry('dead-letters.dropped', 'billing.erasures')).toMatchObject({ before: { count: 2 } })
  })

  it('refuses dead letters of an unknown group, and any group to non-admins', async () => {
    for (const group of ['nobody.there', 'chat.mails', 'gateway.anything', 'nobody', 'No.Group%20']) {
      expect((await admin.api.post(`/api/admin/dead-letters/${group}/replay`)).status, group).toBe(404)
      expect((await admin.api.delete(`/api/admin/dead-letters/${group}`)).status, group).toBe(404)
    }
    for (const group of consumerGroups) {
      expect((await user.api.delete(`/api/admin/dead-letters/${group}`)).status, group).toBe(403)
      expect((await admin.api.delete(`/api/admin/dead-letters/${group}`)).body, group).toEqual({ dropped: 0 })
    }
  })

  it('has exactly the consumer groups and topics from which broker rights are derived', async () => {
    const rows = await world.query<{ group: string; topics: string[] }>(
      'select consumer_group as "group", array_agg(topic) as topics from bus.offsets group by 1',
    )
    const found = Object.fromEntries(rows.map(({ group, topics }) => [group, topics.toSorted()]))
    expect(found).toEqual(subscriptions)
  })

  it('clears the caches of every service', async () => {
    const models = async () => (await user.api.get('/api/chat/models/hierarchy')).text
    expect(await models()).not.toContain('Renamed behind the back')
    await world.query(`update llm_router.models set name = 'Renamed behind the back' where id = 'v3'`)
    await world.query(`update auth.users set banned_at = now() where id = '${user.user._id}'`)
    expect(await models()).not.toContain('Renamed behind the back')
    const cleared = await admin.api.post('/api/admin/cache/clear')
    expect([cleared.status, cleared.body]).toEqual([200, { message: expect.any(String) }])
    expect((await user.api.get('/api/chat/models/hierarchy')).status).toBe(403)
    expect((await world.at().get('/api/chat/models/hierarchy')).text).toContain('Renamed behind the back')
    expect(await entry('caches.cleared', null)).toMatchObject({ actor: { username: 'admin' } })
  })
})
