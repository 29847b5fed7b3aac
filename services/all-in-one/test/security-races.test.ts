import { newId } from '@parley/kit'
import type { ApiAnswer } from '@parley/testing'
import { connectSocket } from '@parley/testing/socket-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieOf, openWorld, type Person, unlimited, userPassword, type World } from './given.ts'

const many = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_none, index) => act(index)))
const tally = (answers: readonly ApiAnswer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('concurrent requests:', () => {
  let world: World
  let admin: Person
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
    admin = await world.admin()
  })
  afterAll(() => world.close())
  const change = (person: Person, body: object) => admin.api.patch(`/api/admin/users/${person.user._id}`, body)

  it('50 wrong codes on two replicas exhaust the five attempts, and the right code is refused', async () => {
    const username = `guessed-${newId().slice(0, 8)}`
    const { code, cookie } = await world.awaitingCode(username)
    const guess = (guessed: string, replica: number) =>
      world.at(replica).post('/api/auth/verify-email', { username, code: guessed }, { headers: { cookie } })
    const wrong = (index: number) => String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0')
    expect(tally(await many(50, (index) => guess(wrong(index), index % 2)))).toEqual({ 400: 20, 429: 30 })
    const [verification] = await world.query<{ wrong_tries: number }>(
      'select wrong_tries from auth.verifications v join auth.users u on u.id = v.user_id where username = $1',
      [username],
    )
    expect(verification?.wrong_tries).toBe(5)
    expect((await guess(code, 0)).status).toBe(429)
  })

  it('one code signs in once', async () => {
    const username = `hasty-${newId().slice(0, 8)}`
    const { code, cookie } = await world.awaitingCode(username)
    const confirm = (index: number) =>
      world.at(index % 2).post('/api/auth/verify-email', { username, code }, { headers: { cookie } })
    const answers = await many(15, confirm)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a ban while tokens are refreshed leaves no valid token', async () => {
    const person = await world.register()
    const refresh = (index: number) =>
      world.at(index % 2).post('/api/auth/refresh', undefined, { headers: { cookie: person.cookie } })
    const [refreshed] = await Promise.all([many(30, refresh), change(person, { banned: true })])
    const tokens = refreshed.flatMap(({ body }) => (body as { token?: string }).token ?? [])
    for (const token of tokens) {
      for (const replica of [0, 1]) {
        const api = world.at(replica).with({ authorization: `Bearer ${token}` })
        expect((await api.get('/api/user/credits')).status).toBe(403)
        expect((await api.get('/api/user/profile')).status).toBe(200)
      }
    }
    const again = await refresh(0)
    expect([again.status, (again.body as { code: string }).code]).toEqual([403, 'account_banned'])
    const login = await world.at().post('/api/auth/login', { identifier: person.user.username, password: userPassword })
    expect(login.body).toMatchObject({ user: { isBanned: true } })
  })

  it('an admin demoted during calls changes nothing afterwards on either replica', async () => {
    const person = await world.register()
    await change(person, { isAdmin: true })
    const patch = (index: number) =>
      world.elsewhere(person, index % 2).patch('/api/admin/settings', { creditWarningThreshold: 50 + index })
    expect((await patch(0)).status).toBe(200)
    const [answers] = await Promise.all([many(20, patch), change(person, { isAdmin: false })])
    expect(Object.keys(tally(answers)).every((status) => status === '200' || status === '403')).toBe(true)
    expect(tally(await many(6, patch))).toEqual({ 403: 6 })
  })

  it('a ban on one replica closes the user’s socket on the other', async () => {
    const person = await world.register()
    const client = await connectSocket(world.replicas[1]?.url ?? '', person.token)
    await client.until('user:update', ({ isBanned }) => isBanned === false)
    await change(person, { banned: true })
    await client.until('user:update', ({ isBanned }) => isBanned === true)
    await client.until('goodbye', ({ code }) => code === 'account_banned')
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  it('100 registrations of one name create one account', async () => {
    const run = newId().slice(0, 8)
    const register = (index: number) =>
      world.at(index % 2).post('/api/auth/register', {
        username: `${index % 2 ? 'OnlyOne' : 'onlyone'}${run}`,
        email: `only-${run}-${index}@parley.test`,
        password: userPassword,
      })
    expect(tally(await many(40, register))).toEqual({ 201: 1, 409: 39 })
  })

  it('no account is registered once registration is switched off', async () => {
    const run = newId().slice(0, 8)
    const register = (index: number) =>
      world.at(index % 2).post('/api/auth/register', {
        username: `late-${run}-${index}`,
        email: `late-${run}-${index}@parley.test`,
        password: userPassword,
      })
    const early = many(10, register)
    await world.settings({ registrationEnabled: false })
    try {
      const [{ count } = { count: -1 }] = await world.query<{ count: number }>('select count(*)::int from auth.users')
      expect(tally(await many(4, (index) => register(100 + index)))).toEqual({ 403: 4 })
      await early
      expect(await world.query('select count(*)::int from auth.users')).toEqual([{ count }])
    } finally {
      await world.settings({ registrationEnabled: true })
    }
  })

  it('a plan deleted and assigned at once is either gone or in use', async () => {
    const person = await world.register()
    const made = await admin.api.post('/api/admin/plans', { name: 'Contested', monthlyCredits: 5 })
    const { id } = (made.body as { plan: { id: string } }).plan
    const answers = await many(20, (index) =>
      index % 2
        ? world.elsewhere(admin, 1).delete(`/api/admin/plans/${id}`)
        : admin.api.post(`/api/admin/users/${person.user._id}/plan`, { planId: id }),
    )
    const { body } = await person.api.get('/api/user/credits')
    const plans = (await admin.api.get('/api/admin/plans')).body as { plans: { id: string; default: boolean }[] }
    const { plan } = body as { plan: { id: string } }
    expect(plans.plans.map((one) => one.id)).toContain(plan.id)
    expect(answers.some(({ status }) => status === 204)).toBe(plan.id !== id)
    expect(plans.plans.filter((one) => one.default)).toHaveLength(1)
  })

  it('an ended session is refused on every replica, and no other session is', async () => {
    const person = await world.register()
    const second = await world
      .at(1)
      .post('/api/auth/login', { identifier: person.user.username, password: userPassword })
    const { token } = second.body as { token: string }
    const there = world.at(1).with({ authorization: `Bearer ${token}` })
    expect((await there.get('/api/user/profile')).status).toBe(200)
    const { body } = await person.api.get('/api/user/sessions')
    const other = (body as { sessions: { id: string; current: boolean }[] }).sessions.find(({ current }) => !current)
    expect((await (await world.register()).api.delete(`/api/user/sessions/${other?.id}`)).status).toBe(404)
    expect((await person.api.delete(`/api/user/sessions/${other?.id}`)).status).toBe(204)
    expect((await there.get('/api/user/profile')).status).toBe(401)
    const headers = { cookie: cookieOf(second) }
    expect((await world.at(1).post('/api/auth/refresh', undefined, { headers })).status).toBe(401)
    expect((await person.api.get('/api/user/profile')).status).toBe(200)
  })
})
