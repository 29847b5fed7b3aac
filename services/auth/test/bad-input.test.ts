import { auditRoutes, authAdminRoutes, authRoutes, errorBodySchema, type Route } from '@parley/contracts'
import { adminPrincipal, type BadInputCase, badInputCases } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

/** Where no good body can be made from the schema. */
const bodies: Readonly<Record<string, unknown>> = {
  '/auth/login': { identifier: 'somebody', password: 'their password' },
}
const routes = [authRoutes, authAdminRoutes, auditRoutes].flatMap((group) => Object.values<Route>(group))
const cases: BadInputCase[] = routes.flatMap((route) => {
  const body = bodies[route.path]
  return [...badInputCases(route, body === undefined ? {} : { body })]
})

describe('bad input', () => {
  it.each(cases)('$name', async ({ request }) => {
    const { method, path, ...options } = request
    const answer = await auth.api.as(adminPrincipal()).send(method, path, options)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(errorBodySchema.safeParse(answer.body).success).toBe(true)
  })

  it('bad input to all routes has changed nothing and ended no session', async () => {
    expect(await auth.sql('select username from users')).toEqual([{ username: 'root' }])
    expect(await auth.sql('select version from settings')).toEqual([{ version: 1 }])
    expect((await auth.api.get('/readyz')).status).toBe(200)
  })
})
