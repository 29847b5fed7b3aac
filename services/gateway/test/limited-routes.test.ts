import { publicRoutes } from '@parley/contracts'
import { type ApiClient, apiClient, pathOf } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

describe('a limited route', () => {
  let given: Given
  let api: ApiClient
  beforeAll(async () => {
    given = await givenGateway()
    given.auth.settings.rateLimits.web = { windowMinutes: 1, maxRequests: 1 }
    api = apiClient(given.url)
  })
  afterAll(async () => {
    await api.close()
    await given.close()
  })

  const whole = expect.stringMatching(/^[1-9]\d*$/)
  const routes = publicRoutes.filter(({ limited }) => limited)
  it.each(routes.map((route, nth) => [`${route.method} ${route.path}`, route, `user${nth}`] as const))(
    'says with success and with refusal what its limit is: %s',
    async (_name, route, userId) => {
      given.auth.users.set(userId, { active: true, rights: { ...plainRights, isAdmin: true } })
      const authorization = `Bearer ${await given.auth.token(userId)}`
      const call = () => api.send(route.method, pathOf(route, { params: { id: 'x' } }), { headers: { authorization } })
      const limit = route.limited === 'reading' ? 20 : 1
      for (let nth = 1; nth < limit; nth += 1) await call()
      const [success, refusal] = [await call(), await call()]
      const spent = { 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': '0', 'ratelimit-reset': whole }
      expect([success.status, success.headers]).toEqual([200, expect.objectContaining(spent)])
      expect(success.headers['retry-after']).toBeUndefined()
      expect([refusal.status, refusal.body]).toMatchObject([429, { code: 'rate_limited' }])
      expect(refusal.headers).toMatchObject({ ...spent, 'retry-after': refusal.headers['ratelimit-reset'] })
    },
  )
})
