import { type ApiAnswer, collect, readEvents } from '@parley/testing'
import { connectSocket } from '@parley/testing/socket-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieOf, openWorld, type Person, unlimited, userPassword, type World } from './given.ts'

type Owner = Person & { readonly cookie: string }
const newPassword = 'a battery of other horses'

describe('the end of a session:', () => {
  let world: World
  let admin: Person
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
    admin = await world.admin()
  })
  afterAll(() => world.close())

  /** The owner's other device: a token, a cookie, a socket and an answer that never ends, on the other replica. */
  const otherDevice = async (owner: Owner) => {
    const login = await world.at().post('/api/auth/login', { identifier: owner.user.username, password: userPassword })
    const { token } = login.body as { token: string }
    const api = world.at(1).with({ authorization: `Bearer ${token}` })
    world.provider.reply({ chunks: ['One ', 'two ', 'three'], hang: { after: 1 } })
    const events = readEvents(await api.open('POST', '/api/chat', { body: { message: 'Count', model: 'v3' } }))
    await events.next()
    const socket = await connectSocket(world.replicas[1]?.url ?? '', token)
    await socket.until('user:update')
    return { api, token, cookie: cookieOf(login), events, socket }
  }
  const refresh = (cookie: string): Promise<ApiAnswer> =>
    world.at(1).post('/api/auth/refresh', undefined, { headers: { cookie } })
  const ask = ({ user }: Owner, headers = {}): Promise<ApiAnswer> =>
    world.at().post('/api/auth/password-reset-request', { email: user.email }, { headers })
  /** Waits for the token of a newer mailed link than `before`. */
  const mailedToken = async ({ user }: Owner, before = ''): Promise<string> => {
    const token = async () => /password-reset\?token=([\w-]+)&/.exec(await world.mailTo(user.email))?.[1] ?? before
    await expect.poll(token).not.toBe(before)
    return token()
  }
  const confirm = (token: unknown, email: string): Promise<ApiAnswer> =>
    world.at().post('/api/auth/password-reset-confirm', { token, email, newPassword })
  const reset = async (owner: Owner): Promise<ApiAnswer> => {
    await ask(owner)
    return confirm(await mailedToken(owner), owner.user.email)
  }

  const acts: Record<string, (owner: Owner, other: { cookie: string; token: string }) => Promise<ApiAnswer>> = {
    'signing out on it': (_owner, { cookie, token }) =>
      world.at().post('/api/auth/logout', undefined, { headers: { cookie, authorization: `Bearer ${token}` } }),
    'another password': ({ api }) =>
      api.post('/api/user/change-password', { currentPassword: userPassword, newPassword }),
    'a mailed link for a new password': reset,
    'signing the other devices out': ({ api }) => api.delete('/api/user/sessions'),
    'an admin who signs the user out': ({ user }) => admin.api.post(`/api/admin/users/${user._id}/sessions/end`),
    'deleting the account': ({ api }) => api.delete('/api/user', { password: userPassword }),
  }
  it.each(Object.entries(acts))('%s ends token, cookie, socket and answer on every replica', async (_name, act) => {
    const owner = await world.register()
    const other = await otherDevice(owner)
    expect((await other.api.get('/api/user/profile')).status).toBe(200)
    expect((await act(owner, other)).status).toBeLessThan(300)
    await expect.poll(async () => (await other.api.get('/api/user/profile')).status).toBe(401)
    for (const replica of [0, 1]) {
      const api = world.at(replica).with({ authorization: `Bearer ${other.token}` })
      expect((await api.get('/api/chat/history')).status).toBe(401)
    }
    expect((await refresh(other.cookie)).status).toBe(401)
    await other.socket.until('goodbye')
    await expect.poll(() => other.socket.socket.connected).toBe(false)
    // The answer is cut off, or stopped if the account is deleted; it does not continue.
    const rest = await collect(other.events).catch(() => [])
    expect(rest.map(({ data }) => data).join()).not.toContain('two')
    await expect(connectSocket(world.replicas[0]?.url ?? '', other.token)).rejects.toThrow()
  })

  it.each(['another password', 'signing the other devices out'])(
    '%s keeps the session of the requesting device',
    async (name) => {
      const owner = await world.register()
      expect((await acts[name]?.(owner, { cookie: '', token: '' }))?.status).toBe(200)
      expect((await owner.api.get('/api/user/profile')).status).toBe(200)
      expect((await refresh(owner.cookie)).status).toBe(200)
    },
  )

  it("a mailed link has Parley's own address, regardless of the request's headers", async () => {
    const owner = await world.register()
    expect((await ask(owner, { host: 'evil.example' })).status).toBe(421)
    await ask(owner, { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' })
    await mailedToken(owner)
    const mail = await world.mailTo(owner.user.email)
    expect(mail).toContain('http://parley.test/password-reset?token=')
    expect(mail).not.toContain('evil')
  })

  it('a mailed link works for its own account only, once, and not after a newer one', async () => {
    const [owner, another] = [await world.register(), await world.register()]
    await ask(owner)
    const old = await mailedToken(owner)
    await ask(owner)
    const token = await mailedToken(owner, old)
    expect((await confirm(token, another.user.email)).status).toBe(400)
    expect((await confirm(old, owner.user.email)).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token, owner.user.email)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    const signIn = (password: string) =>
      world.at(1).post('/api/auth/login', { identifier: owner.user.username, password })
    expect([(await signIn(userPassword)).status, (await signIn(newPassword)).status]).toEqual([401, 200])
  })

  it.each([null, '', undefined, [], {}, { $ne: null }, 0, '   ', '\u0000', 'x'.repeat(10_000)])(
    'a mailed link with the token %j is refused',
    async (token) => {
      const { status, body } = await confirm(token, (await world.register()).user.email)
      expect([status, (body as { code: string }).code]).toEqual([400, 'validation_failed'])
    },
  )
})
