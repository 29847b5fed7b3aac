import { auditRoutes, authAdminRoutes, authInternalRoutes, authRoutes, type Principal } from '@parley/contracts'
import { newId } from '@parley/kit'
import { servicePrincipal } from '@parley/testing'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { givenSuperAdmin, givenUser, goodPassword, openBrowser } from './browser.ts'
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

const list = (query: Record<string, string | number>) => auth.api.as(root).call(authAdminRoutes.users, { query })
const names = async (query: Record<string, string | number>) =>
  (await list(query)).body.users.map(({ username }) => username)
const idOf = async (query: string) => (await list({ query })).body.users[0]?._id ?? ''
const show = (id: string) => auth.api.as(root).call(authAdminRoutes.user, { params: { id } })
const update = (id: string, body: { banned: boolean } | { isAdmin: boolean }) =>
  auth.api.as(root).call(authAdminRoutes.updateUser, { params: { id }, body })

describe('a user', () => {
  it('a user is shown with sessions, keys and usage, and without billing’s data while it is unavailable', async () => {
    const { user, username } = await givenUser(auth)
    await openBrowser(auth).call(authRoutes.login, { identifier: username, password: goodPassword })
    expect((await show(user._id)).body).toMatchObject({
      ...{ user: { _id: user._id, username, plan: { id: 'free' } }, sessions: 2, keys: 3 },
      usage: { requests: 5, inputTokens: 6, outputTokens: 7, credits: 8 },
    })
    auth.billing.working = false
    const without = { user: { username, plan: null }, sessions: 2, keys: null, usage: null }
    expect(await show(user._id)).toMatchObject({ status: 200, body: without })
    expect((await show('f'.repeat(32))).status).toBe(404)
  })
})

describe('the list of users', () => {
  it('the list of users is filtered, sorted and paginated in every order', async () => {
    const query = `list-${newId().slice(0, 8)}-`
    const [nameA, nameB, nameC, nameD] = [`${query}a`, `${query}b`, `${query}c`, `${query}d`]
    for (const username of [nameC, nameA, nameD, nameB]) await givenUser(auth, { username })
    const a = await idOf(nameA)
    const b = await idOf(nameB)
    await update(a, { banned: true })
    await update(b, { isAdmin: true })
    expect(await names({ query })).toEqual([nameB, nameD, nameA, nameC])
    expect(await names({ query, order: 'asc' })).toEqual([nameC, nameA, nameD, nameB])
    expect(await names({ query, banned: 'true' })).toEqual([nameA])
    expect(await names({ query, banned: 'false', admin: 'false' })).toEqual([nameD, nameC])
    expect(await names({ query, admin: 'true' })).toEqual([nameB])
    expect(await names({ query, type: 'oauth' })).toEqual([])
    for (const [sort, order] of [
      ['username', 'asc'],
      ['username', 'desc'],
      ['lastLoginAt', 'desc'],
      ['lastLoginAt', 'asc'],
    ] as const) {
      const all = await names({ sort, order, limit: 200 })
      const paged: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: Awaited<ReturnType<typeof list>> = await list({
          sort,
          order,
          limit: 2,
          ...(cursor && { cursor }),
        })
        paged.push(...body.users.map(({ username }) => username))
        cursor = body.nextCursor
      }
      expect(paged).toEqual(all)
    }
    expect(await names({ query, sort: 'username', order: 'asc' })).toEqual([nameA, nameB, nameC, nameD])
    expect((await list({ sort: 'lastLoginAt', cursor: '3.eA' })).status).toBe(400)
  })

  it('the list of users by plan contains its users, few or many, and is refused while billing is unavailable', async () => {
    const [few, many] = [await givenUser(auth), await givenUser(auth)]
    auth.billing.plans.clear()
    auth.billing.plans.set(few.user._id, 'rare')
    expect(await names({ plan: 'rare' })).toEqual([few.username])
    const free = await names({ plan: 'free', limit: 200 })
    expect(free).toContain(many.username)
    expect(free).not.toContain(few.username)
    const page = (await list({ plan: 'free', limit: 1 })).body
    const next = (await list({ plan: 'free', limit: 1, cursor: page.nextCursor ?? '' })).body
    expect([...page.users, ...next.users].map(({ username }) => username)).toEqual(free.slice(0, 2))
    auth.billing.working = false
    expect((await list({ plan: 'rare' })).status).toBe(503)
  })

  it('the list of users as CSV has all rows that match the filters, with plan and credits as JSON', async () => {
    const query = `csv-${newId().slice(0, 8)}-`
    for (let n = 0; n < 3; n += 1) await givenUser(auth, { username: `${query}${n}` })
    const { headers, text } = await list({ query, format: 'csv', limit: 1 })
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="users.csv"',
    })
    const lines = text.split('\r\n')
    expect(lines[0]).toBe(
      '_id,username,email,isAdmin,isSuperAdmin,banned,type,createdAt,lastLoginAt,emailVerified,plan,credits',
    )
    expect(lines.slice(1, -1).map((line) => line.split(',')[1])).toEqual([2, 1, 0].map((n) => `${query}${n}`))
    expect(lines[1]).toContain('"{""id"":""free"",""name"":""Free""}"')
  })
})

it('other services can look up users’ names, and search users by name or address', async () => {
  const { user, username } = await givenUser(auth)
  const body = { userIds: [user._id, 'nobody'], query: username }
  const answer = await auth.api.as(servicePrincipal('billing')).call(authInternalRoutes.usernames, { body })
  expect(answer.body).toEqual({ users: [{ userId: user._id, username }], matches: [user._id] })
  const among = async (ids: string[]) => {
    const asked = { body: { userIds: [], query: username, among: ids } }
    return (await auth.api.as(servicePrincipal('billing')).call(authInternalRoutes.usernames, asked)).body.matches
  }
  expect(await among(['nobody', user._id])).toEqual([user._id])
  expect(await among(['nobody'])).toEqual([])
  expect(await among([])).toEqual([])
})

describe('viewing as a user', () => {
  const view = (by: Principal, id: string) => auth.api.as(by).call(authAdminRoutes.viewAs, { params: { id } })

  it('an admin gets a user’s token that names the admin and depends on the admin’s session, and both are audited', async () => {
    const { user, username } = await givenUser(auth)
    const signals: unknown[] = []
    onTestFinished(auth.signal.subscribe('admin-acted', (payload) => signals.push(payload)))
    const { body } = await view(root, user._id)
    await expect.poll(() => signals).toHaveLength(1)
    const claims = decodeJwt(body.token)
    expect(claims).toMatchObject({
      sub: user._id,
      sid: (root as { sessionId: string }).sessionId,
      act: { sub: rootId },
    })
    expect(body).toMatchObject({
      user: { username },
      expiresAt: new Date((claims.exp ?? 0) * 1000).toISOString(),
    })
    const [entry] = (await auth.api.as(root).call(auditRoutes.list, { query: { target: user._id } })).body.entries
    expect(entry).toMatchObject({
      ...{ action: 'user.viewed', actor: { id: rootId, username: 'root' }, reversible: false },
      viewingAs: { id: user._id, username },
    })
  })

  it('users cannot view as anybody, and admins cannot view as admins or themselves', async () => {
    const [admin, other, plain] = [await givenUser(auth), await givenUser(auth), await givenUser(auth)]
    for (const { user } of [admin, other]) await update(user._id, { isAdmin: true })
    const principal = await admin.browser.principal()
    expect((await view(principal, other.user._id)).status).toBe(403)
    expect((await view(principal, rootId)).status).toBe(403)
    expect((await view(principal, admin.user._id)).status).toBe(403)
    expect((await view(principal, 'nobody')).status).toBe(404)
    expect((await view(await plain.browser.principal(), other.user._id)).status).toBe(403)
    expect((await view(root, other.user._id)).status).toBe(200)
  })
})
