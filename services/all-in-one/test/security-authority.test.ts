import { apiErrorSchema, messagesErrorSchema, publicRoutes, type Route } from '@parley/contracts'
import { type ApiAnswer, type ApiCaller, pathOf } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

const unknownId = 'f'.repeat(32)

/** The answer without its request id. */
const sayings = ({ status, body }: ApiAnswer) => ({ status, body: { ...(body as object), requestId: '' } })

describe('authorisation', () => {
  let world: World
  let owner: Person
  let other: Person
  let admin: Person
  let banned: Person
  let demoted: Person
  let promoted: Person
  let chatId: string
  let messageId: string
  let userMessageId: string

  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    admin = await world.admin()
    ;[owner, other, banned, demoted, promoted] = [
      await world.register(),
      await world.register(),
      await world.register(),
      await world.register(),
      await world.register(),
    ]
    const change = (person: Person, body: object) => admin.api.patch(`/api/admin/users/${person.user._id}`, body)
    await change(banned, { banned: true })
    await change(promoted, { isAdmin: true })
    await change(demoted, { isAdmin: true })
    expect((await demoted.api.get('/api/admin/stats')).status).toBe(200)
    await change(demoted, { isAdmin: false })
    world.provider.reply({ text: 'the answer of the owner' })
    const sent = await owner.api.post('/api/chat', { message: 'a secret of the owner', model: 'v3' })
    const [, start] = /data: (\{.*\})/.exec(sent.text) ?? []
    ;({ chatId, messageId, userMessageId } = JSON.parse(start ?? '{}'))
  })
  afterAll(() => world.close())

  const callers = (): [name: string, caller: ApiCaller, status: number, code: string][] => [
    ['nobody', world.at(), 401, 'unauthenticated'],
    ['a guest', world.at().with({ 'x-guest-session-id': 'x' }), 401, 'unauthenticated'],
    ['a user', other.api, 403, 'forbidden'],
    ['a banned user', banned.api, 403, 'account_banned'],
    ['a former admin', demoted.api, 403, 'forbidden'],
    ['an admin who views as a user', viewingAs(admin.token), 403, 'forbidden'],
    ['a key', world.at().with({ authorization: 'Bearer sk-abc' }), 401, 'unauthenticated'],
  ]
  const viewingAs = (token: string) => world.at().with({ authorization: `Bearer ${token}`, 'x-view-as': 'user' })

  it.each(
    publicRoutes.filter(({ access }) => access === 'admin').map((route) => [`${route.method} ${route.path}`, route]),
  )('allows %s for admins only', async (_name, route) => {
    const { method, ...rest } = route as Route
    const body = rest.body && {}
    for (const [name, caller, status, code] of callers()) {
      const answer = await caller.send(method, pathOf(rest, { params: { id: unknownId, group: 'chat.bans' } }), {
        body,
      })
      expect([answer.status, (answer.body as { code?: string }).code], name).toEqual([status, code])
    }
  })

  it.each(
    publicRoutes.filter(({ access }) => access === 'key').map((route) => [`${route.method} ${route.path}`, route]),
  )('lets no signed-in user call %s, not even an admin: 401', async (_name, route) => {
    const { method, ...rest } = route as Route
    for (const caller of [world.at(), other.api, admin.api, banned.api]) {
      const body = rest.body && {}
      const answer = await caller.send(method, pathOf(rest, { params: { id: 'v3' } }), { body })
      expect(answer.status).toBe(401)
      const isRefused = apiErrorSchema.safeParse(answer.body).data?.error.code === 'invalid_api_key'
      expect(isRefused || messagesErrorSchema.safeParse(answer.body).success, answer.text).toBe(true)
    }
  })

  it('lets a banned user read the own profile and call no other route with sign-in, not even to delete the account', async () => {
    const closed = publicRoutes.filter(({ access }) => access !== 'public' && access !== 'key')
    const allowed: string[] = []
    for (const { method, ...route } of closed) {
      const name = `${method} ${route.path}`
      const params = { id: unknownId, generationId: unknownId, group: 'chat.bans' }
      const { status, body } = await banned.api.send(method, pathOf(route, { params }), {
        body: route.body && {},
      })
      if (status === 200) allowed.push(name)
      else expect([status, (body as { code?: string }).code], name).toEqual([403, 'account_banned'])
    }
    expect(allowed).toEqual(['GET /user/profile'])
    expect(closed.map(({ method, path }) => `${method} ${path}`)).toContain('DELETE /user')
  })

  it.each([
    ['GET', '/api/chat/history/CHAT', undefined],
    ['DELETE', '/api/chat/history/CHAT', undefined],
    ['PUT', '/api/chat/history/CHAT/rename', { title: 'mine' }],
    ['PUT', '/api/chat/history/CHAT/pin', { pinned: true }],
    ['POST', '/api/chat/history/CHAT/restore', undefined],
    ['POST', '/api/chat', { message: 'x', model: 'v3', chatId: 'CHAT' }],
    ['POST', '/api/chat', { message: 'x', model: 'v3', chatId: 'CHAT', editMessageId: 'USER' }],
    ['POST', '/api/chat', { model: 'v3', chatId: 'CHAT', regenerateMessageId: 'ANSWER' }],
    ['GET', '/api/chat/stream/ANSWER', undefined],
    ['POST', '/api/chat/stream/ANSWER/stop', undefined],
  ])("answers %s %s for another user's resource as for a missing one", async (method, path, body) => {
    const real = (text: string) =>
      text.replace('CHAT', chatId).replace('ANSWER', messageId).replace('USER', userMessageId)
    const none = (text: string) => text.replace(/CHAT|ANSWER|USER/g, unknownId)
    const calls = world.provider.calls.length
    for (const caller of [other, admin, promoted]) {
      const send = (fill: (text: string) => string) =>
        caller.api.send(method, fill(path), {
          body: body && JSON.parse(fill(JSON.stringify(body))),
        })
      const [theirs, nothing] = [await send(real), await send(none)]
      expect(theirs.status).toBe(404)
      expect(sayings(theirs)).toEqual(sayings(nothing))
    }
    expect(world.provider.calls.length).toBe(calls)
  })

  it('deletes no resource of other users in bulk, and does not reveal it', async () => {
    const { body } = await other.api.delete('/api/chat/bulk', { ids: [chatId, unknownId] })
    expect(body).toEqual({ deleted: [], notFound: [chatId, unknownId], unauthorized: [] })
    await other.api.delete('/api/chats')
    const { text } = await owner.api.get(`/api/chat/history/${chatId}`)
    expect(text).toContain('a secret of the owner')
  })

  it('lets no admin change the super admin, another admin or their own rights', async () => {
    const peer = await world.register()
    await admin.api.patch(`/api/admin/users/${peer.user._id}`, { isAdmin: true })
    for (const { user } of [admin, peer, promoted]) {
      for (const body of [{ isAdmin: false }, { banned: true }]) {
        const { status } = await promoted.api.patch(`/api/admin/users/${user._id}`, body)
        expect(status, `${user.username} ${JSON.stringify(body)}`).toBe(403)
      }
    }
    for (const { api } of [admin, peer, promoted]) expect((await api.get('/api/admin/stats')).status).toBe(200)
  })

  it.each(['isAdmin', 'isSuperAdmin', 'credits', 'plan', 'emailVerified', 'banned', '_id', 'createdAt', '__proto__'])(
    'refuses to remove %s from the own account',
    async (field) => {
      const raw = `{"displayName":"x","${field}":true}`
      const json = { raw, headers: { 'content-type': 'application/json' } }
      expect((await other.api.send('PATCH', '/api/user/profile', json)).status).toBe(400)
      const register = `{"username":"someone-new","email":"someone@parley.test","password":"a good password","${field}":true}`
      expect((await world.at().send('POST', '/api/auth/register', { ...json, raw: register })).status).toBe(400)
      const { body } = await other.api.get('/api/user/profile')
      expect(body).toMatchObject({ user: { isAdmin: false, isSuperAdmin: false, displayName: null } })
    },
  )
})
