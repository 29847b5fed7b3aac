import { publicRoutes, type RequestCount, type Route } from '@parley/contracts'
import { type ApiClient, pathOf } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Backend, startBackend } from './backend.ts'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

const named = (which: Route['limited']) =>
  publicRoutes.flatMap(({ limited, method, path }) => (limited === which ? [`${method} ${path}`] : [])).toSorted()

it('the web limit covers routes that call a model, take files or ask for quotes', () => {
  expect(named(true)).toEqual([
    'GET /finance/quotes',
    'POST /chat',
    'POST /chat/files',
    'POST /chat/image',
    'POST /chat/import',
    'POST /memory/import',
  ])
})

it('the limit of accounts covers routes that sign in, take a password, a code or a token, or mail', () => {
  expect(named('account')).toEqual([
    'DELETE /user',
    'GET /auth/oauth/start',
    'GET /user/data-export/:id',
    'POST /auth/login',
    'POST /auth/oauth/callback',
    'POST /auth/oauth/link',
    'POST /auth/password-reset-confirm',
    'POST /auth/password-reset-request',
    'POST /auth/register',
    'POST /auth/resend-verification',
    'POST /auth/update-email',
    'POST /auth/verify-email',
    'POST /user/change-password',
    'POST /user/data-export',
    'POST /user/data-export/:id',
  ])
})

it('the limit of reads covers routes that read, merge, share or clear whole chats', () => {
  expect(named('reading')).toEqual([
    'DELETE /chat/bulk',
    'DELETE /chats',
    'GET /chat/:id/info',
    'GET /chat/files',
    'GET /chat/history',
    'GET /chat/history/:id/export',
    'GET /share/:id',
    'GET /share/:id/images/:imageId',
    'POST /chat/history/:id/follow-ups',
    'POST /share',
    'POST /share/:id/continue',
    'POST /share/preview',
    'PUT /chat/bulk/archive',
    'PUT /chat/history',
  ])
})

describe('a limited route', () => {
  let given: Given
  let memory: Backend
  let api: ApiClient
  beforeAll(async () => {
    memory = await startBackend()
    given = await givenGateway({ urls: { memory: () => memory.url } })
    given.auth.settings.rateLimits.web = { windowMinutes: 1, maxRequests: 1 }
    api = given.api
  })
  afterAll(async () => {
    await given.close()
    await memory.close()
  })

  const whole = expect.stringMatching(/^[1-9]\d*$/)
  const limits = new Map<Route['limited'], number>([
    ['reading', 20],
    ['account', 300],
  ])
  const routes = publicRoutes.filter(({ limited }) => limited)
  const callsBy = async (userId: string, route: Route) => {
    given.auth.users.set(userId, { active: true, rights: { ...plainRights, isAdmin: true } })
    const authorization = `Bearer ${await given.auth.token(userId)}`
    return () =>
      api.send(route.method, pathOf(route, { params: { id: 'x', imageId: 'x' } }), { headers: { authorization } })
  }
  it.each(routes.map((route, nth) => [`${route.method} ${route.path}`, route, `user${nth}`] as const))(
    'states its limit with success and with refusal: %s',
    async (_name, route, userId) => {
      const call = await callsBy(userId, route)
      const limit = limits.get(route.limited) ?? 1
      await Promise.all(Array.from({ length: limit - 1 }, call))
      const [success, refusal] = [await call(), await call()]
      const spent = { 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': '0', 'ratelimit-reset': whole }
      expect([success.status, success.headers]).toEqual([200, expect.objectContaining(spent)])
      expect(success.headers['retry-after']).toBeUndefined()
      expect([refusal.status, refusal.body]).toMatchObject([429, { code: 'rate_limited' }])
      expect(refusal.headers).toMatchObject({ ...spent, 'retry-after': refusal.headers['ratelimit-reset'] })
    },
  )

  it('that reads is also the page of a shared link, by network, and its refusal is a page', async () => {
    const open = () => api.get(`/s/${'a'.repeat(32)}`)
    const admitted = await Promise.all(Array.from({ length: 20 }, open))
    expect(admitted.map(({ status }) => status)).not.toContain(429)
    const { status, headers, text } = await open()
    expect([status, text.includes('/share.js')]).toEqual([429, true])
    expect(headers).toMatchObject({ 'ratelimit-limit': '20', 'retry-after': whole })
  })

  it('is counted apart from those of another kind', async () => {
    const answers = []
    for (const kind of ['account', 'reading', true]) {
      const call = await callsBy('all-kinds', routes.find(({ limited }) => limited === kind) as Route)
      for (let nth = 0; nth < 2; nth += 1) answers.push((await call()).status)
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
  })
})

it('requests under the web limit are reported to billing once, by minute, without the network', async () => {
  const billing = await startBackend((_request, response) => response.writeHead(204).end())
  const given = await givenGateway({ urls: { billing: () => billing.url } })
  const { api } = given
  given.auth.users.set('ann', { active: true, rights: plainRights })
  const headers = { authorization: `Bearer ${await given.auth.token('ann')}` }
  const ask = () => api.post('/api/chat', {})
  await Promise.all([
    ask(),
    ask(),
    api.post('/api/auth/login', {}),
    api.get('/api/chat/history', { headers }),
    api.post('/api/chat', {}, { headers }),
  ])
  await given.close()
  await billing.close()
  const told = billing.received.flatMap(({ body }) => (JSON.parse(body) as { counts: RequestCount[] }).counts)
  const sums = Object.groupBy(
    told,
    ({ subject, kind, times }) => `${subject.replace(/:[\w-]{43}$/, ':hash')} ${kind} ${times}`,
  )
  const counted = Object.entries(sums).map(([what, counts = []]) => [
    what,
    counts.reduce((sum, { count }) => sum + count, 0),
  ])
  expect(counted.toSorted()).toEqual([
    ['network:hash sending 1', 2],
    ['user:ann reading 20', 1],
    ['user:ann sending 1', 1],
  ])
})
