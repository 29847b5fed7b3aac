import { modelAdminRoutes, type ServiceHealth, serviceNames, subscriptions } from '@parley/contracts'
import { waitUntil } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

interface Entry {
  readonly action: string
  readonly target: string | null
  readonly before: unknown
  readonly after: unknown
  readonly actorName: string
  readonly requestId: string
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

  const entry = (action: string, target: string | null): Promise<Entry> =>
    waitUntil(async () => {
      const { body } = await admin.api.get('/api/admin/audit?limit=200')
      return (body as { entries: Entry[] }).entries.find((one) => one.action === action && one.target === target)
    }, `${action} of ${target} in the audit log`)

  it('keeps every change of plans in the audit log, whichever service made it', async () => {
    const headers = { 'x-request-id': 'request-of-the-admin' }
    const made = await admin.api.post('/api/admin/plans', { name: 'Team', monthlyCredits: 7 }, { headers })
    const { plan } = made.body as { plan: { id: string } }
    expect(await entry('plan.created', plan.id)).toMatchObject({
      actorName: 'admin',
      requestId: 'request-of-the-admin',
      before: null,
      after: { name: 'Team', monthlyCredits: 7, default: false },
    })
    await admin.api.patch(`/api/admin/plans/${plan.id}`, { monthlyCredits: 8 })
    expect(await entry('plan.changed', plan.id)).toMatchObject({
      before: { monthlyCredits: 7 },
      after: { monthlyCredits: 8 },
    })
    await admin.api.post(`/api/admin/plans/${plan.id}/default`)
    expect(await entry('plan.made-default', plan.id)).toMatchObject({ before: { planId: 'free' } })
    await admin.api.post('/api/admin/plans/free/default')
    await admin.api.post(`/api/admin/users/${user.user._id}/plan`, { planId: 'plus' })
    expect(await entry('plan.assigned', user.user._id)).toMatchObject({
      before: { planId: 'free' },
      after: { planId: 'plus' },
    })
    await admin.api.post(`/api/admin/users/${user.user._id}/credits`, { amount: 50 })
    expect(await entry('credits.granted', user.user._id)).toMatchObject({ after: { amount: 50 } })
    await admin.api.delete(`/api/admin/plans/${plan.id}`)
    expect(await entry('plan.deleted', plan.id)).toMatchObject({ before: { name: 'Team' }, after: null })
  })

  it('keeps every change of models there too, but no value of a header', async () => {
    const customHeaders = [{ name: 'x-team', value: 'canary-of-a-header' }]
    const body = { id: 'audited', name: 'Audited', provider: 'deepseek', group: 'Test', customHeaders } as const
    expect((await admin.api.call(modelAdminRoutes.create, { body })).status).toBe(201)
    expect(await entry('model.created', 'audited')).toMatchObject({ before: null, after: { name: 'Audited' } })
    await admin.api.patch('/api/admin/models/audited', { enabled: false })
    expect(await entry('model.changed', 'audited')).toMatchObject({
      before: { enabled: true },
      after: { enabled: false },
    })
    await admin.api.patch('/api/admin/models', { enabled: false, provider: 'xai' })
    expect(await entry('models.toggled', 'xai')).toMatchObject({ after: { enabled: false } })
    await admin.api.patch('/api/admin/models', { enabled: true, provider: 'xai' })
    await admin.api.delete('/api/admin/models/audited')
    expect(await entry('model.deleted', 'audited')).toMatchObject({ before: { name: 'Audited' }, after: null })
    expect((await admin.api.get('/api/admin/audit?limit=200')).text).not.toContain('canary-of-a-header')
  })

  it('writes nothing for what was refused', async () => {
    const before = (await admin.api.get('/api/admin/audit')).text
    await admin.api.delete('/api/admin/plans/free')
    await admin.api.delete('/api/admin/models/no-such-model')
    await admin.api.post('/api/admin/users/nobody/credits', { amount: 5 })
    await user.api.post('/api/admin/plans', { name: 'Mine', monthlyCredits: 7 })
    expect(await world.query(`select 1 from billing.outbox union all select 1 from llm_router.outbox`)).toEqual([])
    expect((await admin.api.get('/api/admin/audit')).text).toBe(before)
  })

  it('shows every service and its engines, and how far consumers lag behind', async () => {
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

  it('has exactly the consumer groups and topics of which rights on the brokers are made', async () => {
    const rows = await world.query<{ group: string; topics: string[] }>(
      'select consumer_group as "group", array_agg(topic) as topics from bus.offsets group by 1',
    )
    const found = Object.fromEntries(rows.map(({ group, topics }) => [group, topics.toSorted()]))
    expect(found).toEqual(subscriptions)
  })

  it('has every service forget its copies', async () => {
    const models = async () => (await user.api.get('/api/chat/models/hierarchy')).text
    expect(await models()).not.toContain('Renamed behind the back')
    await world.query(`update llm_router.models set name = 'Renamed behind the back' where id = 'v3'`)
    await world.query(`update auth.users set banned_at = now() where id = '${user.user._id}'`)
    expect(await models()).not.toContain('Renamed behind the back')
    const cleared = await admin.api.post('/api/admin/cache/clear')
    expect([cleared.status, cleared.body]).toEqual([200, { message: expect.any(String) }])
    expect((await user.api.get('/api/chat/models/hierarchy')).status).toBe(403)
    expect((await world.at().get('/api/chat/models/hierarchy')).text).toContain('Renamed behind the back')
    expect(await entry('caches.cleared', null)).toMatchObject({ actorName: 'admin' })
  })
})
