import { adminActed } from '@parley/bus'
import {
  auditRoutes,
  authAdminRoutes,
  authInternalRoutes,
  authRoutes,
  type Principal,
  type Route,
} from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { givenSuperAdmin, givenUser, goodPassword, openBrowser, type TokenAnswer } from './browser.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
let root: Principal
let rootId: string
beforeAll(async () => {
  auth = await startAuthAlone()
  const admin = await givenSuperAdmin(auth, adminPassword)
  root = await admin.browser.principal()
  rootId = admin.user._id
})
afterAll(() => auth.stop())
beforeEach(() => {
  auth.billing.working = true
})

const update = (by: Principal, id: string, body: unknown) =>
  auth.api
    .as(by, { 'x-request-id': 'request-of-an-admin' })
    .call(authAdminRoutes.updateUser, { params: { id }, body: body as { banned: boolean } })
/** A user whom the super admin made an admin. */
async function givenAdmin() {
  const given = await givenUser(auth)
  await update(root, given.user._id, { isAdmin: true })
  return { ...given, principal: await given.browser.principal() }
}

describe('ban', () => {
  it('a ban applies from the next call: a banned user can sign in and read the profile, but not refresh', async () => {
    const { browser, user, username } = await givenUser(auth)
    const heard = await auth.listen()
    const told: string[] = []
    auth.signal.subscribe('principal-changed', ({ userId }) => told.push(userId))
    const banned = await update(root, user._id, { banned: true })
    expect(banned).toMatchObject({ status: 200, body: { user: { _id: user._id, banned: true } } })
    await expect.poll(() => told).toContain(user._id)
    await expect.poll(() => heard.map(({ type, key }) => `${type} ${key}`)).toContain(`auth.user-banned ${user._id}`)
    expect(await browser.principal()).toMatchObject({ rights: { isBanned: true } })
    expect(await browser.call(authRoutes.refresh)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
    expect(await browser.call(authRoutes.sessions)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
    expect(await browser.call(authRoutes.profile)).toMatchObject({ status: 200, body: { user: { isBanned: true } } })
    const login = await openBrowser(auth).call(authRoutes.login, { identifier: username, password: goodPassword })
    expect((login.body as TokenAnswer).user.isBanned).toBe(true)
  })

  it('a user whose ban is lifted has the same access as before', async () => {
    const { browser, user } = await givenUser(auth)
    await update(root, user._id, { banned: true })
    await update(root, user._id, { banned: false })
    expect((await browser.call(authRoutes.refresh)).status).toBe(200)
    expect(await browser.principal()).toMatchObject({ rights: { isBanned: false } })
  })

  it('a ban of an unknown user is 404', async () => {
    expect((await update(root, 'f'.repeat(32), { banned: true })).status).toBe(404)
  })

  it('a refused change of a user names the field at fault', async () => {
    const answer = await update(root, 'f'.repeat(32), { banned: 'yes' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: 'banned' }] } })
  })
})

describe('who may do what', () => {
  it('no admin can ban or demote themselves, not even the super admin', async () => {
    const admin = await givenAdmin()
    for (const [by, id] of [
      [admin.principal, admin.user._id],
      [root, rootId],
    ] as const) {
      expect((await update(by, id, { banned: true })).status).toBe(403)
      expect((await update(by, id, { isAdmin: false })).status).toBe(403)
    }
  })

  it('an admin can ban users, but not admins or the super admin', async () => {
    const admin = await givenAdmin()
    const other = await givenAdmin()
    const { user } = await givenUser(auth)
    expect((await update(admin.principal, user._id, { banned: true })).status).toBe(200)
    expect((await update(admin.principal, other.user._id, { banned: true })).status).toBe(403)
    expect((await update(admin.principal, rootId, { banned: true })).status).toBe(403)
    const second = await givenAdmin()
    await auth.sql('update users set is_super_admin = true where id = $1', [second.user._id])
    expect((await update(root, second.user._id, { banned: true })).status).toBe(403)
    expect((await update(root, second.user._id, { isAdmin: false })).status).toBe(403)
    await auth.sql('update users set is_super_admin = false where id = $1', [second.user._id])
    expect(await auth.sql('select id from users where banned_at is not null and is_admin')).toEqual([])
  })

  it('an admin can grant admin rights, and only the super admin can revoke them', async () => {
    const admin = await givenAdmin()
    const other = await givenAdmin()
    const { user } = await givenUser(auth)
    expect(await update(admin.principal, user._id, { isAdmin: true })).toMatchObject({
      status: 200,
      body: { user: { isAdmin: true } },
    })
    expect((await update(admin.principal, user._id, { isAdmin: false })).status).toBe(403)
    expect((await update(admin.principal, other.user._id, { isAdmin: false })).status).toBe(403)
    expect((await update(admin.principal, rootId, { isAdmin: false })).status).toBe(403)
    expect((await update(root, other.user._id, { isAdmin: false })).status).toBe(200)
    expect(await other.browser.principal()).toMatchObject({ rights: { isAdmin: false } })
  })

  it.each([
    { isSuperAdmin: true },
    { isAdmin: true, isSuperAdmin: true },
    { banned: true, credits: 5 },
    { isAdmin: 1 },
    { emailVerified: true },
    {},
    null,
  ])('a change of a user with the body %j is 400', async (body) => {
    const { user } = await givenUser(auth)
    expect((await update(root, user._id, body)).status).toBe(400)
    const [row] = await auth.sql('select is_admin, is_super_admin, banned_at from users where id = $1', [user._id])
    expect(row).toEqual({ is_admin: false, is_super_admin: false, banned_at: null })
  })

  it('every admin route refuses guests, users, banned and demoted admins', async () => {
    const demoted = await givenAdmin()
    await update(root, demoted.user._id, { isAdmin: false })
    const plain = await givenUser(auth)
    const callers: [Principal, number][] = [
      [await openBrowser(auth).principal(), 401],
      [await plain.browser.principal(), 403],
      [await demoted.browser.principal(), 403],
      [adminPrincipal({ rights: { isBanned: true } }), 403],
    ]
    for (const route of Object.values<Route>({ ...authAdminRoutes, ...auditRoutes })) {
      for (const [caller, status] of callers) {
        expect((await auth.api.as(caller).call(route, { params: { id: rootId } })).status).toBe(status)
      }
    }
  })
})

describe('the list of users', () => {
  const list = (query: Record<string, string | number> = {}) => auth.api.as(root).call(authAdminRoutes.users, { query })

  it('the list of users shows plan and credits, and omits them while billing is unavailable', async () => {
    const { username } = await givenUser(auth)
    const [user] = (await list({ query: username })).body.users
    expect(user).toMatchObject({ username, type: 'local', plan: { name: 'Free' }, credits: { remaining: 100 } })
    auth.billing.working = false
    const without = await list({ query: username })
    expect(without).toMatchObject({ status: 200, body: { users: [{ username, plan: null, credits: null }] } })
  })

  it('a search of users finds parts of names and addresses, literally', async () => {
    const run = newId().slice(0, 8)
    const { username } = await givenUser(auth, { username: `un${run}der_score`, email: `wi${run}ld@example.test` })
    const found = async (query: string) => (await list({ query })).body.users.map((user) => user.username)
    expect(await found(`${run.toUpperCase()}DER_SC`)).toEqual([username])
    expect(await found(`${run}ld@EX`)).toEqual([username])
    for (const query of ['%', '____', 'under%', '\\', "' or true--"]) expect(await found(query)).toEqual([])
  })

  it('the list of users is paginated, with each user once', async () => {
    for (let n = 0; n < 3; n += 1) await givenUser(auth)
    const all = (await list({ limit: 200 })).body.users.map(({ _id }) => _id)
    const paged: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, ...(cursor && { cursor }) })
      paged.push(...page.body.users.map(({ _id }) => _id))
      cursor = page.body.nextCursor
    } while (cursor !== null)
    expect(paged).toEqual(all)
    expect((await list({ cursor: 'nonsense' })).status).toBe(400)
  })

  it('admins get the numbers of users', async () => {
    await auth.sql('update users set last_seen_at = now() where id = $1', [rootId])
    const before = (await auth.api.as(root).call(authAdminRoutes.stats)).body.stats
    const { user } = await givenUser(auth)
    await update(root, user._id, { banned: true })
    await auth.sql(`update users set last_seen_at = now() - interval '2 days' where id = $1`, [rootId])
    const after = (await auth.api.as(root).call(authAdminRoutes.stats)).body.stats
    expect(after).toEqual({
      ...before,
      totalUsers: before.totalUsers + 1,
      newUsers: before.newUsers + 1,
      localUsers: before.localUsers + 1,
      bannedUsers: before.bannedUsers + 1,
      newlyBanned: before.newlyBanned + 1,
      activeToday: before.activeToday,
    })
    const past = `now() - interval '8 days'`
    await auth.sql(`update users set created_at = ${past}, banned_at = ${past} where id = $1`, [user._id])
    const later = (await auth.api.as(root).call(authAdminRoutes.stats)).body.stats
    expect(later).toEqual({ ...after, newUsers: before.newUsers, newlyBanned: before.newlyBanned })
  })
})

it('a user is counted once on each active day, and once in 30 days', async () => {
  const active = async () => (await auth.api.as(root).call(authAdminRoutes.activeUsers)).body
  const { user } = await givenUser(auth)
  const today = new Date().toISOString().slice(0, 10)
  await auth.sql(`update users set last_seen_at = null where id = $1`, [user._id])
  await auth.sql('delete from active_days')
  const before = await active()
  expect(before.days).toEqual([])
  const seen = (at: string) => auth.sql(`update users set last_seen_at = ${at} where id = $1`, [user._id])
  await seen(`now() - interval '40 days'`)
  expect(await active()).toEqual(before)
  const dayBegins = `date_trunc('day', now(), 'UTC')`
  await seen(`${dayBegins} - interval '29 days 1 second'`)
  expect((await active()).last30Days).toBe(before.last30Days)
  await seen(`${dayBegins} - interval '29 days'`)
  expect((await active()).last30Days).toBe(before.last30Days + 1)
  await auth.sql('delete from active_days')
  await seen(`now() - interval '2 days'`)
  await seen(`now() - interval '1 day'`)
  await seen('now()')
  await seen('now()')
  const { last30Days, days } = await active()
  expect(last30Days).toBe(before.last30Days + 1)
  expect(days.map(({ users }) => users)).toEqual([1, 1, 1])
  expect(days.at(-1)?.date).toBe(today)
})

describe('the audit log', () => {
  it('the audit log records who changed what, newest first', async () => {
    const { user } = await givenUser(auth)
    await update(root, user._id, { banned: true })
    await update(root, user._id, { banned: true })
    await update(root, user._id, { isAdmin: true })
    const { entries } = (await auth.api.as(root).call(auditRoutes.list, { query: { limit: 2 } })).body
    expect(entries).toMatchObject([
      {
        action: 'user.admin-granted',
        target: { type: 'user', id: user._id, name: user.username },
        before: { isAdmin: false },
        after: { isAdmin: true },
      },
      { action: 'user.banned', target: { id: user._id }, before: { banned: false }, after: { banned: true } },
    ])
    expect(entries[0]).toMatchObject({
      actor: { id: rootId, username: 'root' },
      reversible: true,
      requestId: 'request-of-an-admin',
    })
  })

  it('the audit log has an action in another service once, with its time, however often its event is delivered', async () => {
    const at = new Date('2026-01-02T03:04:05Z')
    const act = { actorId: rootId, requestId: 'request-of-root', eventId: 'told-twice', at }
    const change = {
      action: 'plan.deleted',
      target: 'told-plan',
      targetName: 'Team',
      before: { name: 'Team' },
      after: null,
    }
    const event = adminActed('billing.admin-acted', act, change)
    const signals: unknown[] = []
    auth.signal.subscribe('admin-acted', (payload) => signals.push(payload))
    await auth.bus.publish([event, event])
    await auth.bus.publish([adminActed('llm-router.admin-acted', { ...act, eventId: 'told-last' }, change)])
    const entries = async () => (await auth.api.as(root).call(auditRoutes.list)).body.entries
    await expect.poll(async () => (await entries()).filter(({ target }) => target.id === 'told-plan')).toHaveLength(2)
    await expect.poll(async () => (await auth.bus.lag(['auth.audit']))['auth.audit']).toBe(0)
    const told = (await entries()).filter(({ target }) => target.id === 'told-plan')
    expect(told).toHaveLength(2)
    await expect.poll(() => signals.length).toBeGreaterThanOrEqual(2)
    expect(told[0]).toMatchObject({
      ...{ action: 'plan.deleted', target: { type: 'plan', id: 'told-plan', name: 'Team' }, before: { name: 'Team' } },
      ...{ actor: { id: rootId, username: 'root' }, requestId: 'request-of-root', at: at.toISOString() },
      reversible: false,
    })
  })

  it('the audit log has an act in a service without events once, with its time, and open lists are told of it', async () => {
    const signals: unknown[] = []
    onTestFinished(auth.signal.subscribe('admin-acted', (payload) => signals.push(payload)))
    const act = { actorId: rootId, requestId: 'request-of-root', action: 'dead-letters.dropped', target: 'auth.audit' }
    const body = { ...act, id: newId(), at: '2026-01-02T03:04:05.000Z', before: { count: 2 }, after: null }
    const record = () => auth.api.as(servicePrincipal('gateway')).call(authInternalRoutes.recordAct, { body })
    expect([(await record()).status, (await record()).status]).toEqual([204, 204])
    await expect.poll(() => signals.length).toBeGreaterThan(0)
    const { entries } = (await auth.api.as(root).call(auditRoutes.list, { query: { target: 'auth.audit' } })).body
    expect(entries).toMatchObject([{ id: body.id, at: body.at, actor: { username: 'root' }, before: { count: 2 } }])
  })

  it('the audit log has no entry for a refused change', async () => {
    const count = async () => (await auth.sql('select id from audit')).length
    const before = await count()
    await update(root, rootId, { banned: true })
    expect(await count()).toBe(before)
  })
})
