import { type BreakerState, type Health, isApiRoute, publicRoutes, serviceNames } from '@parley/contracts'
import type { ApiClient } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

const startedAt = '2030-01-01T00:00:00.000Z'

describe('the front of the gateway', () => {
  let given: Given
  let api: ApiClient
  beforeAll(async () => {
    given = await givenGateway({ publicUrl: 'https://parley.test' })
    api = given.api
  })
  afterAll(() => given.close())

  it.each(['/', '/login', '/api/chat/guest-info', '/api/nothing', '/assets/main-abc123.js', '/assets/missing.js'])(
    'sets the security headers of %s',
    async (path) => {
      const { headers } = await api.get(path, { headers: { accept: 'text/html' } })
      expect(headers['content-security-policy']).toMatch(
        /default-src 'self'.*object-src 'none'.*frame-ancestors 'none'/,
      )
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
        'strict-transport-security': expect.stringMatching(/max-age=63072000/),
        'x-request-id': expect.stringMatching(/^[\w-]{8,64}$/),
      })
      expect(headers['x-powered-by']).toBeUndefined()
    },
  )

  it('forbids caching of the API, and allows it without expiry for hashed files', async () => {
    expect((await api.get('/api/chat/guest-info')).headers['cache-control']).toMatch(/no-store/)
    expect((await api.get('/assets/main-abc123.js')).headers['cache-control']).toMatch(/immutable/)
    expect((await api.get('/', { headers: { accept: 'text/html' } })).headers['cache-control']).toBe('no-cache')
  })

  it.each(['/', '/login', '/c/abc', '/anything/else'])('serves the page for %s', async (path) => {
    const { status, text } = await api.get(path, { headers: { accept: 'text/html' } })
    expect([status, text]).toEqual([200, expect.stringContaining('<title>Parley')])
  })

  it.each(['/assets/missing.js', '/missing.png', '/api/missing', '/.env'])('has no page for %s', async (path) => {
    const { status, text } = await api.get(path, { headers: { accept: 'text/html' } })
    expect([status, text]).toEqual([404, expect.not.stringContaining('<title>')])
  })

  it.each([
    ['a-good-id_01', 'a-good-id_01'],
    ['short', undefined],
    ['with space in it', undefined],
    ['x'.repeat(65), undefined],
  ])('answers request id %s with %s, or its own', async (sent, kept) => {
    const { headers, body } = await api.get('/api/nothing', { headers: { 'x-request-id': sent } })
    if (kept === undefined) expect(headers['x-request-id']).not.toBe(sent)
    else expect(headers['x-request-id']).toBe(kept)
    expect(body).toMatchObject({ code: 'not_found', requestId: headers['x-request-id'] })
  })

  it('limits a network, states the limit, and counts users separately', async () => {
    given.auth.settings.rateLimits.web.maxRequests = 3
    const answers = []
    for (let call = 0; call < 4; call += 1) answers.push(await api.post('/api/chat', { message: 'x', model: 'v3' }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0'])
    expect(answers[3]?.headers['retry-after']).toBe(answers[3]?.headers['ratelimit-reset'])
    expect(answers[3]?.body).toMatchObject({ code: 'rate_limited' })
    given.auth.users.set('ann', { active: true, rights: plainRights })
    const authorization = `Bearer ${await given.auth.token('ann')}`
    expect((await api.post('/api/chat', {}, { headers: { authorization } })).status).toBe(200)
  })

  it('limits reads separately from messages, and more generously', async () => {
    given.auth.settings.rateLimits.web.maxRequests = 3
    given.auth.users.set('reader', { active: true, rights: plainRights })
    const headers = { authorization: `Bearer ${await given.auth.token('reader')}` }
    const list = () => api.get('/api/chat/history', { headers })
    const limit = 60
    expect((await list()).headers).toMatchObject({
      'ratelimit-limit': `${limit}`,
      'ratelimit-remaining': `${limit - 1}`,
    })
    const answers = await Promise.all(Array.from({ length: limit }, list))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toMatchObject([{ body: { code: 'rate_limited' }, headers: { 'ratelimit-remaining': '0' } }])
    expect(refused[0]?.headers['retry-after']).toBe(refused[0]?.headers['ratelimit-reset'])
    const sent = await api.post('/api/chat', {}, { headers })
    expect(sent).toMatchObject({ status: 200, headers: { 'ratelimit-limit': '3', 'ratelimit-remaining': '2' } })
  })

  it('limits sign-ins separately from messages: a low limit of messages locks nobody out, a high one allows more', async () => {
    const login = async (web: { windowMinutes: number; maxRequests: number }) => {
      given.auth.settings.rateLimits.web = web
      await given.hub.open('auth').signal.publish('settings-changed', { version: 1 })
      const { status, headers } = await api.post('/api/auth/login', {})
      return [status, headers['ratelimit-limit']]
    }
    const low = { windowMinutes: 1440, maxRequests: 1 }
    expect(await login(low)).toEqual([200, '300'])
    expect(await login(low)).toEqual([200, '300'])
    expect(await login({ windowMinutes: 2, maxRequests: 1_000 })).toEqual([200, '500'])
  })

  it('describes every public route, and those for programs separately, without a key', async () => {
    for (const [at, described] of [
      ['/api/openapi.json', publicRoutes],
      ['/api/v1/openapi.json', publicRoutes.filter(isApiRoute)],
    ] as const) {
      const { status, body, headers } = await api.get(at)
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('application/json')])
      const { openapi, servers, paths } = body as {
        openapi: string
        servers: unknown
        paths: Record<string, Record<string, unknown>>
      }
      expect([openapi, servers]).toEqual(['3.1.0', [{ url: 'https://parley.test' }]])
      const operations = Object.values(paths).flatMap((path) => Object.keys(path))
      expect(operations).toHaveLength(described.length)
      for (const { method, path } of described) {
        expect(paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]).toHaveProperty(method.toLowerCase())
      }
    }
  })

  it('shows admins which services are ready, lack an engine or do not answer, and the certificates that end first', async () => {
    given.auth.users.set('root', { active: true, rights: { ...plainRights, isAdmin: true } })
    const engines = [{ name: 'postgres', ready: false }]
    const replica = (id: string) => ({ id, host: 'h', version: '1.2.3', node: '24.0.0', startedAt })
    const breaker = (model: string, state: BreakerState) =>
      ({ ...{ provider: 'xai', since: startedAt }, model, state }) as const
    const certificate = (server: string, year: number) => ({
      server,
      startsAt: startedAt,
      endsAt: `${year}-01-01T00:00:00Z`,
    })
    // As behind a load balancer, with one replica that lacks its engine.
    let turn = 0
    given.chat.answer = ({ url }, response) => {
      if (url === '/internal/certificates') {
        const certificates = [certificate('db:5432', 2031), certificate('mail:465', 2030), certificate('db:5432', 2032)]
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ certificates }))
        return
      }
      if (url === '/readyz') turn += 1
      const [own, state] =
        turn % 2 === 1
          ? [
              { replica: replica('a'), breakers: [breaker('grok', 'half-open'), breaker('grok-2', 'open')] },
              { status: 'ready', failed: [], engines: [] },
            ]
          : [
              { replica: replica('b'), breakers: [breaker('grok', 'open'), breaker('grok-2', 'half-open')] },
              { status: 'unready', failed: ['postgres'], engines },
            ]
      response.statusCode = state.status === 'ready' ? 200 : 503
      response.end(JSON.stringify({ ...own, ...state }))
    }
    const authorization = `Bearer ${await given.auth.token('root')}`
    const { body } = await api.get('/api/admin/health', { headers: { authorization } })
    const unreachable = { ready: false, failed: ['unreachable'], replicas: [] }
    const { services, breakers, deadLetters, certificates } = body as Health
    expect(services).toEqual([
      { name: 'gateway', ready: true, failed: [], replicas: [] },
      // Its `{}` has no readiness.
      { name: 'auth', ...unreachable },
      {
        ...{ name: 'chat', ready: false, failed: ['postgres'], engines },
        replicas: expect.arrayContaining([
          { ...replica('a'), ready: true, failed: [] },
          { ...replica('b'), ready: false, failed: ['postgres'] },
        ]),
      },
      ...serviceNames.slice(3).map((name) => ({ name, ...unreachable })),
    ])
    expect(breakers).toEqual([breaker('grok', 'open'), breaker('grok-2', 'open')])
    expect(deadLetters).toEqual([])
    expect(certificates).toEqual([certificate('mail:465', 2030), certificate('db:5432', 2031)])
    expect((await api.get('/api/admin/health')).status).toBe(401)
  })

  it('waits for the owner of dead letters to drop them, which takes longer than other calls on Kafka', async () => {
    given.auth.users.set('root', { active: true, rights: { ...plainRights, isAdmin: true } })
    const authorization = `Bearer ${await given.auth.token('root')}`
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    given.chat.answer = ({ method }, response) => {
      const isDrop = method === 'DELETE'
      if (isDrop) vi.advanceTimersByTime(20_000)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(isDrop ? { dropped: 2 } : { deadLetters: [] }))
    }
    const answer = await api.send('DELETE', '/api/admin/dead-letters/chat.bans', { headers: { authorization } })
    expect(answer).toMatchObject({ status: 200, body: { dropped: 2 } })
  })

  it('sends admins a test stream whose events arrive one by one', async () => {
    given.auth.users.set('root', { active: true, rights: { ...plainRights, isAdmin: true } })
    const authorization = `Bearer ${await given.auth.token('root')}`
    const { status, headers, text } = await api.get('/api/admin/health/stream', { headers: { authorization } })
    expect([status, headers['content-type'], headers['x-accel-buffering']]).toEqual([
      ...[200, expect.stringContaining('text/event-stream'), 'no'],
    ])
    const sent = [...text.matchAll(/^data: (\d+)$/gm)].map(([, ms]) => Number(ms))
    expect(sent).toHaveLength(5)
    expect(sent.toSorted((a, b) => a - b)).toEqual(sent)
    expect(new Set(sent).size).toBe(5)
    expect((await api.get('/api/admin/health/stream')).status).toBe(401)
  })

  it('is ready once it has reached auth', async () => {
    given.auth.broken = true
    expect(await api.get('/readyz')).toMatchObject({ status: 503, body: { failed: ['auth'] } })
    given.auth.broken = false
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200)
  })
})
