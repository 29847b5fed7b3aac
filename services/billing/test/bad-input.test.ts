import {
  billingAdminRoutes,
  billingInternalRoutes,
  billingRoutes,
  keyAdminRoutes,
  keyInternalRoutes,
  keyRoutes,
  moneyAdminRoutes,
  moneyInternalRoutes,
  type Route,
  usageAdminRoutes,
  usageRoutes,
} from '@parley/contracts'
import { adminPrincipal, badInputCases, servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, givenUser, type RunningBilling } from './given.ts'

const groups = [
  billingRoutes,
  billingAdminRoutes,
  billingInternalRoutes,
  keyRoutes,
  keyAdminRoutes,
  keyInternalRoutes,
  moneyAdminRoutes,
  moneyInternalRoutes,
  usageRoutes,
  usageAdminRoutes,
]
const routes = groups.flatMap((group) => Object.values<Route>(group))

describe('invalid input', () => {
  let billing: RunningBilling
  beforeAll(async () => {
    billing = await givenBilling()
  })
  afterAll(() => billing.stop())

  it('is tried on every route with input', () => {
    expect(routes.length).toBeGreaterThan(12)
  })

  it.each(routes)('is refused by $method $path and changes nothing', async (route) => {
    const user = await givenUser(billing)
    const before = [await user.credits(), (await billing.as(adminPrincipal()).get('/api/admin/plans')).body]
    const caller = billing.as(route.access === 'service' ? servicePrincipal('chat') : adminPrincipal())
    const params = { id: route.path.startsWith('/admin/users') ? user.userId : 'plus', generationId: 'unknown' }
    for (const { name, request } of badInputCases(route, { params })) {
      const answer = await caller.send(request.method, request.path, request)
      expect.soft(answer.status, `${name}: ${answer.text}`).toBeGreaterThanOrEqual(400)
      expect.soft(answer.status, `${name}: ${answer.text}`).toBeLessThan(500)
      expect.soft(answer.body, name).toMatchObject({ code: expect.any(String), requestId: expect.any(String) })
    }
    const after = [await user.credits(), (await billing.as(adminPrincipal()).get('/api/admin/plans')).body]
    expect(after).toEqual(before)
  })
})
