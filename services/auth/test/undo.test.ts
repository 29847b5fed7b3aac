import { auditRoutes, authAdminRoutes, type Principal } from '@parley/contracts'
import { testEvent } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenSuperAdmin, givenUser } from './browser.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
let root: Principal
beforeAll(async () => {
  auth = await startAuthAlone()
  root = await (await givenSuperAdmin(auth, adminPassword)).browser.principal()
})
afterAll(() => auth.stop())

const update = (id: string, body: { banned: boolean } | { isAdmin: boolean }, by = root) =>
  auth.api.as(by).call(authAdminRoutes.updateUser, { params: { id }, body })
const undo = (id: string, by = root) => auth.api.as(by).call(auditRoutes.undo, { params: { id } })
const entries = async (query: Record<string, string | number> = {}) =>
  (await auth.api.as(root).call(auditRoutes.list, { query })).body.entries
const newest = async (target: string) => (await entries({ target }))[0]?.id ?? ''
const settings = (body: Record<string, unknown>) => auth.api.as(root).call(authAdminRoutes.updateSettings, { body })

describe('undo', () => {
  it('a ban is undone once, recorded as an unban that refers to it, and the user has access again', async () => {
    const { user, browser } = await givenUser(auth)
    const heard = await auth.listen()
    await update(user._id, { banned: true })
    const banned = await newest(user._id)
    const told: string[] = []
    auth.signal.subscribe('principal-changed', ({ userId }) => told.push(userId))
    const { status, body } = await undo(banned)
    await expect.poll(() => told).toEqual([user._id])
    expect([status, body.entry]).toMatchObject([
      200,
      {
        ...{ action: 'user.unbanned', undoes: banned, reversible: true, actor: { username: 'root' } },
        ...{ target: { type: 'user', name: user.username }, before: { banned: true }, after: { banned: false } },
      },
    ])
    expect(await browser.principal()).toMatchObject({ rights: { isBanned: false } })
    await expect.poll(() => heard.map(({ type }) => type)).toContain('auth.user-unbanned')
    expect((await entries({ target: user._id })).find(({ id }) => id === banned)).toMatchObject({
      undoneBy: body.entry.id,
    })
    expect(await undo(banned)).toMatchObject({
      status: 409,
      body: { code: 'conflict', error: 'This has already been undone.', current: { banned: false } },
    })
  })

  it('of many concurrent undos of an action one succeeds', async () => {
    const { user } = await givenUser(auth)
    await update(user._id, { banned: true })
    const banned = await newest(user._id)
    const answers = await Promise.all([1, 2, 3, 4].map(() => undo(banned)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    for (const { status, body } of answers) {
      if (status === 409) expect(body).toMatchObject({ current: { banned: false } })
    }
    expect(await entries({ target: user._id })).toHaveLength(2)
  })

  it('an action whose target has changed since is 409 with the difference and the present state, and can be undone once there is none', async () => {
    const { user } = await givenUser(auth)
    await update(user._id, { banned: true })
    const banned = await newest(user._id)
    await update(user._id, { banned: false })
    expect(await undo(banned)).toMatchObject({
      status: 409,
      body: { code: 'conflict', current: { banned: false }, details: [{ path: 'banned' }] },
    })
    await update(user._id, { banned: true })
    expect((await undo(banned)).status).toBe(200)
  })

  it('undoing requires the right to perform the action: only the super admin can revoke admin rights', async () => {
    const [admin, made] = [await givenUser(auth), await givenUser(auth)]
    await update(admin.user._id, { isAdmin: true })
    await update(made.user._id, { isAdmin: true })
    const granted = await newest(made.user._id)
    expect((await undo(granted, await admin.browser.principal())).status).toBe(403)
    expect((await undo(granted, await made.browser.principal())).status).toBe(403)
    expect((await undo(granted)).body.entry).toMatchObject({ action: 'user.admin-removed', undoes: granted })
    expect((await undo(granted, await made.browser.principal())).status).toBe(403)
  })

  it('undoing a change of settings keeps other changes', async () => {
    const read = async () => (await auth.api.as(root).call(authAdminRoutes.settings)).body
    await settings({ guest: { weeklyLimit: 2, enabled: true }, systemPrompt: '' })
    const { version } = await read()
    await settings({ guest: { weeklyLimit: 5 }, systemPrompt: 'Be kind.' })
    const changed = await newest('settings')
    await settings({ guest: { enabled: false } })
    const told: number[] = []
    auth.signal.subscribe('settings-changed', ({ version: now }) => told.push(now))
    const undone = await undo(changed)
    await expect.poll(() => told).toEqual([version + 3])
    expect(undone.body.entry).toMatchObject({ action: 'settings.changed', undoes: changed })
    expect(await read()).toMatchObject({
      ...{ guest: { weeklyLimit: 2, enabled: false }, systemPrompt: '', version: version + 3 },
    })
    expect(await undo(changed)).toMatchObject({
      status: 409,
      body: { error: 'This has already been undone.', current: { guest: { weeklyLimit: 2 }, version: version + 3 } },
    })
    await settings({ guest: { weeklyLimit: 9 } })
    expect(await undo(undone.body.entry.id)).toMatchObject({
      status: 409,
      body: {
        current: { guest: { weeklyLimit: 9 } },
        details: [{ path: 'guest.weeklyLimit', message: 'Was 2, is now 9' }],
      },
    })
  })

  it('an action that cannot be undone is 422, an unknown one 404, and nothing is written', async () => {
    const { user } = await givenUser(auth)
    await auth.api.as(root).call(authAdminRoutes.endUserSessions, { params: { id: user._id } })
    const before = await entries()
    expect(await undo(await newest(user._id))).toMatchObject({ status: 422, body: { code: 'not_reversible' } })
    expect((await undo('f'.repeat(32))).status).toBe(404)
    expect(await entries()).toEqual(before)
  })
})

describe('the audit log', () => {
  it('a page of the audit log has the present names of its users, plans and keys, and works without billing', async () => {
    const { user } = await givenUser(auth)
    await update(user._id, { banned: true })
    const assigned = { before: { planId: 'free' }, after: { planId: 'team-plan' } }
    for (const [action, target, change] of [
      ['plan.assigned', user._id, assigned],
      ['key.revoked', 'key-of-somebody', { before: { tier: 1 }, after: null }],
    ] as const) {
      const data = { actorId: 'admin', action, target, requestId: 'named', ...change }
      await auth.bus.publish([testEvent('billing.admin-acted', target, data)])
    }
    auth.billing.names.set('team-plan', 'Team').set('key-of-somebody', 'Script')
    const page = async () => (await auth.api.as(root).call(auditRoutes.list, { query: { limit: 3 } })).body
    await expect
      .poll(async () =>
        (await page()).entries
          .map(({ action }) => action)
          .slice(0, 2)
          .sort(),
      )
      .toEqual(['key.revoked', 'plan.assigned'])
    const ofUser = { [user._id]: user.username }
    const asked = auth.billing.askedForNames
    expect((await page()).names).toEqual({ ...ofUser, 'team-plan': 'Team', 'key-of-somebody': 'Script' })
    expect(auth.billing.askedForNames - asked).toBe(1)
    auth.billing.working = false
    expect((await page()).names).toEqual(ofUser)
    auth.billing.working = true
  })

  it('the audit log is filtered by actor, action, target and time, paginated, and returned as CSV', async () => {
    const { user } = await givenUser(auth)
    for (const banned of [true, false, true]) await update(user._id, { banned })
    const ids = async (query: Record<string, string | number>) =>
      (await entries({ target: user._id, ...query })).map(({ id }) => id)
    const all = await ids({})
    expect(all).toHaveLength(3)
    expect(await ids({ actor: 'Root' })).toEqual(all)
    expect(await ids({ actor: 'nobody' })).toEqual([])
    expect(await ids({ action: 'user.unbanned' })).toEqual([all[1]])
    const today = new Date().toISOString().slice(0, 10)
    expect(await ids({ from: today, to: today })).toEqual(all)
    expect(await ids({ to: '2020-01-01' })).toEqual([])
    const call = (query: Record<string, string | number>) => auth.api.as(root).call(auditRoutes.list, { query })
    for (const format of ['json', 'csv']) {
      const reversed = await call({ from: today, to: '2020-01-01', format })
      expect(reversed).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: 'from' }] } })
    }
    const page = (await call({ target: user._id, limit: 2 })).body
    const rest = (await call({ target: user._id, limit: 2, cursor: page.nextCursor ?? '' })).body
    expect([...page.entries, ...rest.entries].map(({ id }) => id)).toEqual(all)
    for (const cursor of ['nonsense', '1', '1.AAAA', '1.eA']) expect((await call({ cursor })).status).toBe(400)
    const { headers, text } = await call({ target: user._id, action: 'user.banned', format: 'csv', limit: 1 })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/^id,at,actor,viewingAs,action,target,before,after,reversible,undoneBy,undoes/)
    expect(lines.slice(1, -1).map((line) => line.slice(0, 32))).toEqual([all[0], all[2]])
    expect(lines[1]).toContain('"{""banned"":false}"')
  })
})
