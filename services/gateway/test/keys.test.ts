import { once } from 'node:events'
import type { Socket } from 'node:net'
import { apiErrorSchema, type KnownKey } from '@parley/contracts'
import { createKeySecret, hashKeySecret } from '@parley/kit'
import { type ApiClient, untilPasses } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Backend, startBackend } from './backend.ts'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

const path = '/api/v1/chat/completions'
const body = { model: 'gpt', messages: [{ role: 'user', content: 'Hello' }] }

/** The client gives up a stream that is silent for a minute by itself: that does not count. */
const toBeCut = (reading: Promise<unknown>) =>
  expect(reading).rejects.not.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' })

describe('an API key at the gateway', () => {
  let given: Given
  let billing: Backend
  let router: Backend
  let api: ApiClient
  /** Billing's keys, by hash of the secret. */
  const known = new Map<string, KnownKey>()
  beforeAll(async () => {
    billing = await startBackend((request, response) => {
      const hash = request.url?.split('/').at(-1) ?? ''
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ key: known.get(hash) ?? null }))
    })
    router = await startBackend()
    const urls = { billing: () => billing.url, 'llm-router': () => router.url }
    given = await givenGateway({ trustedProxies: '127.0.0.0/8', urls })
    api = given.api
  })
  afterAll(async () => {
    await given.close()
    await Promise.all([billing.close(), router.close()])
  })
  beforeEach(() => {
    for (const { received } of [billing, router, given.chat]) received.length = 0
    given.auth.users.set('ann', { active: true, rights: plainRights })
  })
  const newKey = (parts: Partial<KnownKey> = {}): string => {
    const secret = createKeySecret()
    const key = { keyId: `k${known.size}`, userId: 'ann', tier: 2, customLimits: null, endsAt: null, ...parts } as const
    known.set(hashKeySecret(secret), key)
    return secret
  }
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  const call = (headers: Record<string, string>, at = path) => api.post(at, body, { headers })
  const errorOf = (answer: { body: unknown }) => apiErrorSchema.parse(answer.body).error

  it('admits a program as the key of its owner, and passes the secret to no service', async () => {
    const secret = newKey()
    expect((await call(bearer(secret))).status).toBe(200)
    const [received] = router.received
    expect(given.principal(received)).toMatchObject({ kind: 'key', userId: 'ann', tier: 2, rights: plainRights })
    expect(JSON.stringify([received, billing.received])).not.toContain(secret)
  })

  it('is known to its service with the network of each of its callers', async () => {
    const secret = newKey()
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      await call({ ...bearer(secret), 'x-forwarded-for': address })
      expect(given.principal(router.received.at(-1))).toMatchObject({ network: `4:${address}` })
    }
  })

  it('is looked up again, as are its owner’s rights and the settings, once an admin has cleared the caches', async () => {
    const [secret, kept] = [newKey(), newKey()]
    given.auth.users.set('bob', { active: true, rights: plainRights })
    const bob = { authorization: `Bearer ${await given.auth.token('bob')}` }
    const limit = async () => (await api.get('/api/chat/history', { headers: bob })).headers['ratelimit-limit']
    const before = [(await call(bearer(secret))).status, (await call(bearer(kept))).status, await limit()]
    expect(before).toEqual([200, 200, '600'])
    known.delete(hashKeySecret(secret))
    given.auth.users.set('ann', { active: true, rights: { ...plainRights, emailVerified: false } })
    given.auth.settings.rateLimits.web.maxRequests = 7
    expect([(await call(bearer(secret))).status, await limit()]).toEqual([200, '600'])
    await given.hub.open('auth').signal.publish('caches-cleared', {})
    await expect.poll(async () => (await call(bearer(secret))).status).toBe(401)
    expect(await limit()).toBe('140')
    await call(bearer(kept))
    expect(given.principal(router.received.at(-1))).toMatchObject({ rights: { emailVerified: false } })
  })

  it('lets its requests share a connection to the service, even after a response that takes longer than an idle one is kept', async () => {
    const secret = newKey()
    const { answer } = router
    /** Resolves to the socket of the next request, which is answered once `until` resolves. */
    const nextSocket = (until: Promise<unknown>): Promise<Socket> =>
      new Promise((resolve) => {
        router.answer = (request, response) => {
          resolve(request.socket)
          void until.then(() => response.end('{}'))
        }
      })
    const sharesConnection = async () => {
      const ended = Promise.withResolvers<void>()
      const slowSocket = nextSocket(ended.promise)
      const slow = call(bearer(secret))
      const socket = await slowSocket
      // Another connection, which is closed once it was idle for long enough.
      const idleSocket = nextSocket(Promise.resolve())
      const closed = idleSocket.then((idle) => once(idle, 'close'))
      expect((await call(bearer(secret))).status).toBe(200)
      await closed
      ended.resolve()
      expect((await slow).status).toBe(200)
      const after = nextSocket(Promise.resolve())
      expect((await call(bearer(secret))).status).toBe(200)
      return (await after) === socket
    }
    // On a stalled machine the connection may stay idle for too long.
    await expect.poll(sharesConnection).toBe(true)
    router.answer = answer
  })

  it('gets the service’s bytes, never compressed', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(4_000) })
    const { answer } = router
    router.answer = (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    const headers = { ...bearer(newKey()), 'accept-encoding': 'gzip' }
    const received = await api.get('/api/v1/models', { headers })
    router.answer = answer
    expect(received.headers).not.toHaveProperty('content-encoding')
    expect(received.text).toBe(text)
  })

  it('is accepted in x-api-key at every path, and nowhere else', async () => {
    const headers = { 'x-api-key': newKey() }
    for (const at of ['/api/v1/messages', path]) expect((await call(headers, at)).status).toBe(200)
    expect((await api.get('/api/v1/models', { headers })).status).toBe(200)
    for (const { headers: received } of router.received) expect(received).not.toHaveProperty('x-api-key')
    expect((await api.post(`${path}?api_key=${headers['x-api-key']}`, body)).status).toBe(401)
    expect((await call({ cookie: `key=${headers['x-api-key']}` })).status).toBe(401)
  })

  it('may be in both headers, but two different ones are refused', async () => {
    const [secret, other] = [newKey(), newKey()]
    expect((await call({ ...bearer(secret), 'x-api-key': secret })).status).toBe(200)
    for (const authorization of [`Bearer ${other}`, `Basic ${secret}`]) {
      const answer = await call({ authorization, 'x-api-key': secret })
      expect([answer.status, errorOf(answer).code]).toEqual([401, 'invalid_api_key'])
    }
    expect(router.received).toHaveLength(1)
  })

  it.each(['/api/user/profile', '/api/chat/history', '/api/admin/stats', '/api/auth/config', '/api/user/keys'])(
    'is refused at %s with 401',
    async (other) => {
      const answer = await api.get(other, { headers: bearer(newKey()) })
      expect([answer.status, answer.body]).toMatchObject([401, { code: 'unauthenticated' }])
    },
  )

  it("is required: a user's token, nothing, and a malformed secret are refused in OpenAI's format", async () => {
    const token = await given.auth.token('ann')
    const secret = newKey()
    const wrong = [
      bearer(token),
      {},
      bearer(`${secret}x`),
      bearer(secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
      bearer("sk-' OR 1=1--"),
      bearer(`sk-${'a'.repeat(20_000)}`),
      { authorization: `Basic ${secret}` },
    ]
    for (const headers of wrong) {
      const answer = await call(headers as Record<string, string>)
      expect([answer.status, errorOf(answer).code], JSON.stringify(headers)).toEqual([401, 'invalid_api_key'])
    }
    expect([router.received, billing.received]).toEqual([[], []])
    const ofAnthropic = await call({}, '/api/v1/messages')
    expect(ofAnthropic.body).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
    // Anthropic's clients read the request id here, and OpenAI's in `x-request-id`.
    expect(ofAnthropic.headers['request-id']).toBe(ofAnthropic.headers['x-request-id'])
  })

  it('is reported as incorrect when it was mangled, and as missing when it is absent', async () => {
    const secret = newKey()
    const messageFor = async (headers: Record<string, string>) => errorOf(await call(headers)).message
    for (const mangled of [`"${secret}"`, `${secret}!`, `Bearer ${secret}`, `${secret} ${secret}`]) {
      expect(await messageFor(bearer(mangled)), mangled).toBe('Incorrect API key provided.')
      expect(await messageFor({ 'x-api-key': mangled }), mangled).toBe('Incorrect API key provided.')
    }
    expect(await messageFor(bearer(` ${secret}`))).toBe('Incorrect API key provided.')
    for (const headers of [{}, { authorization: 'Bearer' }, { authorization: `Basic ${secret}` }]) {
      expect(await messageFor(headers as Record<string, string>)).toContain('You did not provide an API key.')
    }
  })

  it('that does not exist is looked up once, however often it is sent', async () => {
    const headers = bearer(createKeySecret())
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(headers)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect((await call(headers)).status).toBe(401)
    expect(billing.received).toHaveLength(1)
  })

  it('is looked up once for many calls, and again after a change', async () => {
    const secret = newKey({ keyId: 'changing' })
    await Promise.all(Array.from({ length: 20 }, () => call(bearer(secret))))
    expect(billing.received).toHaveLength(1)
    known.delete(hashKeySecret(secret))
    await given.hub.open('billing').signal.publish('key-changed', { keyId: 'changing', userId: 'ann' })
    await untilPasses(async () => expect((await call(bearer(secret))).status).toBe(401))
  })

  it('has its owner’s rights as they change', async () => {
    const secret = newKey({ userId: 'dan' })
    given.auth.users.set('dan', { active: true, rights: plainRights })
    expect((await call(bearer(secret))).status).toBe(200)
    given.auth.users.set('dan', { active: true, rights: { ...plainRights, isBanned: true } })
    await given.hub.open('auth').signal.publish('principal-changed', { userId: 'dan' })
    await untilPasses(async () => expect((await call(bearer(secret))).status).toBe(403))
    // The key itself is still cached.
    expect(billing.received).toHaveLength(1)
  })

  it('is refused if its owner is banned or gone, or if it has expired', async () => {
    given.auth.users.set('bad', { active: true, rights: { ...plainRights, isBanned: true } })
    const banned = await call(bearer(newKey({ userId: 'bad' })))
    expect([banned.status, errorOf(banned).code]).toEqual([403, 'account_banned'])
    expect((await call(bearer(newKey({ userId: 'nobody' })))).status).toBe(401)
    expect((await call(bearer(newKey({ endsAt: '2020-01-01T00:00:00.000Z' })))).status).toBe(401)
  })

  it.each([
    ['it is revoked', 'key-changed' as const],
    ['its owner is banned', 'principal-changed' as const],
  ])('has its running streams cut when %s', async (_why, signal) => {
    const secret = newKey({ keyId: `cut-${signal}`, userId: 'eve' })
    given.auth.users.set('eve', { active: true, rights: plainRights })
    router.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
    }
    const open = await api.open('POST', path, { raw: JSON.stringify(body), headers: bearer(secret) })
    const pieces = open.body[Symbol.asyncIterator]()
    await pieces.next()
    if (signal === 'key-changed') known.delete(hashKeySecret(secret))
    else given.auth.users.set('eve', { active: true, rights: { ...plainRights, isBanned: true } })
    const payload = { keyId: `cut-${signal}`, userId: 'eve' }
    await given.hub.open('billing').signal.publish(signal, payload)
    await toBeCut(pieces.next())
  })

  it('has its running streams cut when it expires', async () => {
    const secret = newKey({ endsAt: new Date(Date.now() + 5_000).toISOString() })
    router.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
    }
    const open = await api.open('POST', path, { raw: JSON.stringify(body), headers: bearer(secret) })
    expect(open.status).toBe(200)
    await toBeCut(open.body.text())
    expect((await call(bearer(secret))).status).toBe(401)
  })

  it('has its running streams cut at an expiry that is set while they run', async () => {
    const secret = newKey({ keyId: 'sooner' })
    router.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
    }
    const open = await api.open('POST', path, { raw: JSON.stringify(body), headers: bearer(secret) })
    expect(open.status).toBe(200)
    const hash = hashKeySecret(secret)
    const key = known.get(hash)
    if (key) known.set(hash, { ...key, endsAt: new Date(Date.now() + 1_000).toISOString() })
    await given.hub.open('billing').signal.publish('key-changed', { keyId: 'sooner', userId: 'ann' })
    await toBeCut(open.body.text())
  })

  it("gets 404 in OpenAI's format for unknown paths", async () => {
    for (const at of ['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/chat/completions/']) {
      const answer = await api.get(at, { headers: bearer(newKey()) })
      expect([answer.status, errorOf(answer).code], at).toEqual([404, 'unknown_url'])
    }
    expect(errorOf(await api.get(path, { headers: bearer(newKey()) })).code).toBe('method_not_allowed')
  })

  it.each(['/v1/models', '/api/v1/v1/messages'])('gets 404 with the right base URL for %s', async (at) => {
    const { status, text } = await api.get(at, { headers: bearer(newKey()) })
    expect([status, text]).toEqual([404, expect.stringContaining('base URL ends in /api/v1, or in /api for Anthropic')])
  })

  it('may be used by pages of every site, without credentials', async () => {
    const origin = 'https://somewhere.test'
    const asked = await api.send('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } })
    expect([asked.status, asked.headers]).toMatchObject([
      204,
      { 'access-control-allow-origin': '*', 'access-control-allow-headers': expect.stringContaining('authorization') },
    ])
    // Stored responses are deleted.
    expect(asked.headers['access-control-allow-methods']).toBe('GET, POST, DELETE')
    router.answer = (_request, response) => void response.end('{}')
    const { status, headers } = await call({ ...bearer(newKey()), origin })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect((await api.get('/api/chat/guest-info', { headers: { origin } })).status).toBe(403)
  })

  it('is refused while billing or auth cannot confirm it', async () => {
    billing.answer = (_request, response) => void response.writeHead(500).end()
    const answer = await call(bearer(createKeySecret()))
    expect([answer.status, errorOf(answer).type]).toEqual([503, 'server_error'])
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it("is refused with 413 for a body over its call's limit", async () => {
    const headers = { ...bearer(newKey()), 'content-length': String(50 * 1024 * 1024) }
    const answer = await api.post(path, 'x', { headers: bearer('none') })
    expect(answer.status).toBe(401)
    const raw = Buffer.alloc(50 * 1024 * 1024, 'x')
    const large = await api.send('POST', path, { raw, headers })
    expect([large.status, errorOf(large).code]).toEqual([413, 'payload_too_large'])
  })
})
