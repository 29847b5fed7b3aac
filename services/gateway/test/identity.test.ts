import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { type ApiCaller, type ApiClient, untilPasses } from '@parley/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { plainRights, type TokenChanges } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the caller', () => {
  let given: Given
  let api: ApiClient
  const signedIn = async (userId: string, changes?: TokenChanges): Promise<ApiCaller> =>
    api.with(bearer(await given.auth.token(userId, changes)))
  const lastPrincipal = () => given.principal(given.chat.received.at(-1))

  beforeAll(async () => {
    given = await givenGateway()
    api = given.api
  })
  afterAll(() => given.close())
  afterEach(() => void vi.useRealTimers())
  beforeEach(() => {
    given.auth.broken = false
    given.chat.received.length = 0
    given.auth.users.set('ann', { active: true, rights: plainRights })
    given.auth.users.set('bob', { active: true, rights: plainRights })
    given.auth.users.set('root', { active: true, rights: { ...plainRights, isAdmin: true, isSuperAdmin: true } })
    given.auth.users.set('gone', { active: false, rights: plainRights })
    given.auth.users.set('chief', { active: true, rights: { ...plainRights, isAdmin: true } })
    given.auth.users.set('barred', { active: true, rights: { ...plainRights, isAdmin: true, isBanned: true } })
    given.auth.users.set('bad', { active: true, rights: { ...plainRights, isBanned: true } })
  })

  it('is a guest without a token', async () => {
    await api.get('/api/chat/guest-info')
    expect(lastPrincipal()).toMatchObject({ kind: 'guest', network: '4:127.0.0.1' })
  })

  it('is the user of the token, with the rights that auth states', async () => {
    await (await signedIn('root')).get('/api/chat/history')
    expect(lastPrincipal()).toMatchObject({ kind: 'user', userId: 'root', sessionId: 's1', rights: { isAdmin: true } })
  })

  it('is never another user', async () => {
    const [ann, bob] = [await signedIn('ann'), await signedIn('bob')]
    const users = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await (index % 2 === 0 ? ann : bob).get(`/api/chat/history/${index % 2 === 0 ? 'ann' : 'bob'}`)
      }),
    )
    expect(users).toHaveLength(40)
    for (const received of given.chat.received) {
      expect(received.url).toBe(`/api/chat/history/${(given.principal(received) as { userId: string }).userId}`)
    }
  })

  it('has every external identity header and the token removed', async () => {
    const headers = {
      'x-identity': 'forged',
      'x-user-id': 'root',
      'x-user-role': 'admin',
      'x-internal-secret': 's',
      // Used only where traces are recorded, and then continued rather than passed on.
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      cookie: 'parley_refresh=secret',
      forwarded: 'for=192.0.2.9',
      'x-real-ip': '192.0.2.9',
      'x-forwarded-for': '192.0.2.9',
      'x-forwarded-proto': 'https',
      baggage: 'user=root',
    }
    await (await signedIn('ann')).get('/api/chat/history', { headers })
    const { headers: arrived } = given.chat.received.at(-1) ?? { headers: {} }
    expect(lastPrincipal()).toMatchObject({ userId: 'ann' })
    for (const name of [...Object.keys(headers).filter((name) => name !== 'x-identity'), 'authorization']) {
      expect(arrived).not.toHaveProperty(name)
    }
  })

  it('loses admin rights on a request that views as a user', async () => {
    const root = await signedIn('root')
    const headers = { 'x-view-as': 'user' }
    expect((await root.get('/api/admin/settings', { headers })).status).toBe(403)
    await root.get('/api/chat/history', { headers })
    expect(lastPrincipal()).toMatchObject({ viewAs: true, rights: { isAdmin: false, isSuperAdmin: false } })
  })

  it('is a user without rights when an admin views the product as that user, and may read viewable routes only', async () => {
    const viewing = await signedIn('ann', { actor: 'root' })
    given.auth.received.length = 0
    expect((await viewing.get('/api/user/profile')).status).toBe(200)
    const seen = given.auth.received.find(({ url }) => url === '/api/user/profile')
    expect(given.principal(seen)).toMatchObject({
      ...{ kind: 'user', userId: 'ann', viewedBy: 'root', sessionId: 's1' },
      rights: { isAdmin: false, isSuperAdmin: false },
    })
    const refused = { status: 403, body: { code: 'forbidden' } }
    expect(await viewing.get('/api/chat/history')).toMatchObject(refused)
    expect(await viewing.post('/api/chat', { message: 'as ann' })).toMatchObject(refused)
    expect(await viewing.get('/api/user/sessions')).toMatchObject(refused)
    expect(await viewing.patch('/api/user/profile', { displayName: 'x' })).toMatchObject(refused)
    expect(await viewing.get('/api/admin/settings')).toMatchObject(refused)
    expect(await viewing.post('/api/auth/logout')).toMatchObject(refused)
    expect(given.chat.received).toEqual([])
  })

  it('may be viewed by any admin, an admin only by the super admin', async () => {
    for (const [userId, actor] of [
      ['ann', 'chief'],
      ['chief', 'root'],
    ] as const) {
      expect((await (await signedIn(userId, { actor })).get('/api/user/profile')).status).toBe(200)
      const seen = given.auth.received.findLast(({ url }) => url === '/api/user/profile')
      expect(given.principal(seen)).toMatchObject({ userId, viewedBy: actor, rights: { isAdmin: false } })
    }
  })

  it.each([
    ['who is no admin', 'ann', 'bob'],
    ['whose session is over', 'ann', 'gone'],
    ['who is banned', 'ann', 'barred'],
    ['who is not the super admin, of a user who is an admin by now', 'root', 'chief'],
    ['who is unknown', 'ann', 'nobody'],
    ['of a user who is not there any more', 'nobody', 'root'],
  ])('is rejected with a token of an admin %s', async (_why, userId, actor) => {
    expect((await (await signedIn(userId, { actor })).get('/api/user/profile')).status).toBe(401)
  })

  describe('is refused', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const forgeries: ReadonlyArray<readonly [why: string, changes: TokenChanges, code: string]> = [
      ['signed by another key', { key: other }, 'unauthenticated'],
      ['of another issuer', { issuer: 'else' }, 'unauthenticated'],
      ['for another audience', { audience: 'else' }, 'unauthenticated'],
      ['of another type', { typ: 'JWT' }, 'unauthenticated'],
      ['not yet good', { notBefore: 120 }, 'unauthenticated'],
      ['expired', { expires: -61 }, 'token_expired'],
    ]
    it.each(forgeries)('with a token %s', async (_why, changes, code) => {
      const { status, body } = await (await signedIn('ann', changes)).get('/api/chat/history')
      expect([status, body]).toEqual([401, expect.objectContaining({ code })])
      expect(given.chat.received).toEqual([])
    })

    it('with a token that has just expired', async () => {
      const ann = await signedIn('ann', { expires: 5 })
      expect((await ann.get('/api/chat/history')).status).toBe(200)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40_000 })
      const { status, body } = await ann.get('/api/chat/history')
      expect([status, body]).toEqual([401, expect.objectContaining({ code: 'token_expired' })])
    })

    it('with the claims of one valid token and the signature of another', async () => {
      const tokens = await Promise.all(['ann', 'root'].map((userId) => given.auth.token(userId)))
      for (const token of tokens) expect((await api.with(bearer(token)).get('/api/chat/history')).status).toBe(200)
      const [[header, , signature], [, words]] = tokens.map((token) => token.split('.')) as [string[], string[]]
      const { status } = await api.with(bearer([header, words, signature].join('.'))).get('/api/chat/history')
      expect(status).toBe(401)
    })

    it('with a signature of the same bytes in another spelling', async () => {
      const token = await given.auth.token('ann')
      // The last character of 64 bytes has 4 bits that decoding ignores.
      const respelt = token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1)
      const bytesOf = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
      expect(bytesOf(respelt)).toEqual(bytesOf(token))
      expect((await api.with(bearer(respelt)).get('/api/chat/history')).status).toBe(401)
    })

    it('with our public key used as a symmetric secret', async () => {
      const secret = createSecretKey(Buffer.from(given.auth.publicKey.export({ format: 'pem', type: 'spki' })))
      const ann = await signedIn('ann', { alg: 'HS256', key: secret })
      expect((await ann.get('/api/chat/history')).status).toBe(401)
    })

    const headers = [
      [
        'no algorithm',
        `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"ann","sid":"s1"}').toString('base64url')}.`,
      ],
      ['an API key', "Bearer sk-' OR 1=1--"],
      ['an API key of the right form', 'Bearer sk-0123456789abcdef'],
      ['another scheme', 'Basic YW5uOmFubg=='],
      ['9 KB', `Bearer ${'a'.repeat(9 * 1024)}`],
      ['nothing', 'Bearer '],
    ] as const
    it.each(headers)('with %s as the token', async (_what, authorization) => {
      const { status, body } = await api.get('/api/chat/history', { headers: { authorization } })
      expect([status, body]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })])
    })

    it('with the token in the query or in a cookie', async () => {
      const token = await given.auth.token('ann')
      expect((await api.get(`/api/user/profile?token=${token}`)).status).toBe(401)
      expect((await api.get('/api/user/profile', { headers: { cookie: `token=${token}` } })).status).toBe(401)
    })

    it('after the session has ended', async () => {
      expect((await (await signedIn('gone')).get('/api/chat/history')).status).toBe(401)
    })

    it('when banned, except for routes open to banned users', async () => {
      const bad = await signedIn('bad')
      const { status, body } = await bad.get('/api/chat/history')
      expect([status, body]).toEqual([403, expect.objectContaining({ code: 'account_banned' })])
      expect((await bad.get('/api/user/profile')).status).toBe(200)
    })

    it('when auth cannot state the rights', async () => {
      given.auth.users.set('new', { active: true, rights: plainRights })
      given.auth.broken = true
      expect((await (await signedIn('new')).get('/api/chat/history')).status).toBe(503)
      given.auth.broken = false
      expect((await (await signedIn('new')).get('/api/chat/history')).status).toBe(200)
    })
  })

  it('is anonymous on a public route when the token is invalid', async () => {
    const ann = await signedIn('ann', { expires: -600 })
    expect((await ann.get('/api/auth/config')).status).toBe(200)
    for (const authorization of ['Bearer', 'Bearer a b', 'Basic YW5uOmFubg=='])
      expect((await api.get('/api/auth/config', { headers: { authorization } })).status, authorization).toBe(200)
  })

  it('is affected by a ban at once, and by its end', async () => {
    const ann = await signedIn('ann')
    const signal = given.hub.open('auth').signal
    expect((await ann.get('/api/chat/history')).status).toBe(200)
    given.auth.users.set('ann', { active: true, rights: { ...plainRights, isBanned: true } })
    await signal.publish('principal-changed', { userId: 'ann' })
    await untilPasses(async () => expect((await ann.get('/api/chat/history')).status).toBe(403))
    given.auth.users.set('ann', { active: true, rights: plainRights })
    await signal.publish('principal-changed', { userId: 'ann' })
    await untilPasses(async () => expect((await ann.get('/api/chat/history')).status).toBe(200))
  })

  it('causes one request to auth for many calls in one session', async () => {
    given.auth.users.set('carl', { active: true, rights: plainRights })
    const carl = await signedIn('carl')
    await Promise.all(Array.from({ length: 20 }, () => carl.get('/api/chat/history')))
    expect(given.auth.received.filter(({ url }) => url.includes('/principals/carl/'))).toHaveLength(1)
  })
})
