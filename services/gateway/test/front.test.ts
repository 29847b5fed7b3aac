import { publicRoutes, serviceNames } from '@parley/contracts'
import { apiClient } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

describe('the front of the gateway', () => {
  let given: Given
  let api: ReturnType<typeof apiClient>
  beforeAll(async () => {
    given = await givenGateway({ publicUrl: 'https://parley.test' })
    api = apiClient(given.url)
  })
  afterAll(async () => {
    await api.close()
    await given.close()
  })

  it.each(['/', '/login', '/api/chat/guest-info', '/api/nothing', '/assets/main-abc123.js', '/assets/missing.js'])(
    'protects the answer to %s by its headers',
    async (path) => {
      const { headers } = await api.get(path, { headers: { accept: 'text/html' } })
      expect(headers['content-security-policy']).toMatch(
        /default-src 'self'.*object-src 'none'.*frame-ancestors 'none'/,
      )
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': expect.stringMatching(/max-age=63072000/),
        'x-request-id': expect.stringMatching(/^[\w-]{8,64}$/),
      })
      expect(headers['x-powered-by']).toBeUndefined()
    },
  )

  it('keeps nothing of the API and hashed files for ever', async () => {
    expect((await api.get('/api/chat/guest-info')).headers['cache-control']).toMatch(/no-store/)
    expect((await api.get('/assets/main-abc123.js')).headers['cache-control']).toMatch(/immutable/)
    expect((await api.get('/', { headers: { accept: 'text/html' } })).headers['cache-control']).toBe('no-cache')
  })

  it.each(['/', '/login', '/c/abc', '/anything/else'])('serves the page for %s', async (path) => {
    const { status, text } = await api.get(path, { headers: { accept: 'text/html' } })
    expect([status, text]).toEqual([200, expect.stringContaining('<title>Parley')])
  })

  it.each(['/assets/missing.js', '/missing.png', '/api/missing', '/.env'])('serves no page for %s', async (path) => {
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

  it('limits a network, says how far, and counts users apart', async () => {
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

  it('limits reading apart from messages, and more generously', async () => {
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

  it('describes every public route', async () => {
    const { body } = await api.get('/api/openapi.json')
    const { openapi, paths } = body as { openapi: string; paths: Record<string, Record<string, unknown>> }
    expect(openapi).toBe('3.1.0')
    for (const { method, path } of publicRoutes) {
      expect(paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]).toHaveProperty(method.toLowerCase())
    }
  })

  it('shows admins which services are ready, which lack an engine and which do not answer', async () => {
    given.auth.users.set('root', { active: true, rights: { ...plainRights, isAdmin: true } })
    const engines = [{ name: 'postgres', ready: false }]
    given.chat.answer = (request, response) => {
      response.statusCode = request.url === '/readyz' ? 503 : 200
      response.end(JSON.stringify({ status: 'unready', failed: ['postgres'], engines }))
    }
    const authorization = `Bearer ${await given.auth.token('root')}`
    const { body } = await api.get('/api/admin/health', { headers: { authorization } })
    const unreachable = { ready: false, failed: ['unreachable'] }
    expect((body as { services: unknown[] }).services).toEqual([
      { name: 'gateway', ready: true, failed: [] },
      // Its `{}` is no word about its engines.
      { name: 'auth', ...unreachable },
      { name: 'chat', ready: false, failed: ['postgres'], engines },
      ...serviceNames.slice(3).map((name) => ({ name, ...unreachable })),
    ])
    expect((await api.get('/api/admin/health')).status).toBe(401)
  })

  it('is ready once it could ask auth', async () => {
    given.auth.broken = true
    expect(await api.get('/readyz')).toMatchObject({ status: 503, body: { failed: ['auth'] } })
    given.auth.broken = false
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200)
  })
})
