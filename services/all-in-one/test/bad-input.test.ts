import { errorBodySchema, publicRoutes, type Route } from '@parley/contracts'
import { badInputCases } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

/** All stored data as one text, without counters and timestamps that change by themselves. */
const kept = `select schemaname as schema, relname as name from pg_stat_user_tables
  where schemaname in ('auth', 'billing', 'chat', 'llm_router', 'memory', 'notifier', 'share') order by 1, 2`
const volatile = /login_attempts|verification_attempts|migrations|outbox|inbox|sessions|request_hours|replicas/

async function snapshot(world: World): Promise<Record<string, number>> {
  const tables = await world.query<{ schema: string; name: string }>(kept)
  const counts = tables
    .filter(({ name }) => !volatile.test(name))
    .map(async ({ schema, name }) => {
      const [row] = await world.query<{ count: number }>(`select count(*)::int as count from ${schema}."${name}"`)
      return [`${schema}.${name}`, row?.count ?? 0] as const
    })
  return Object.fromEntries(await Promise.all(counts))
}

/** Routes with an API key are tested in llm-router. */
const routesOfPeople = publicRoutes.filter(({ access }) => access !== 'key')
const withCases = routesOfPeople.filter((route) => badInputCases(route).length > 0)

describe('malformed input', () => {
  let world: World
  let user: Person
  let admin: Person
  let before: Record<string, number>
  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    ;[user, admin] = [await world.register(), await world.admin()]
    before = await snapshot(world)
  })
  afterAll(() => world.close())

  const callerOf = (route: Route) => (route.access === 'admin' ? admin : user).api

  it('has cases for every route with input', () => {
    const without = routesOfPeople.filter((route) => !withCases.includes(route))
    expect(without.filter(({ body, params, query }) => body ?? params ?? query)).toEqual([])
    expect(routesOfPeople.length).toBeGreaterThan(40)
  })

  describe.each(withCases.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
    const cases = badInputCases(route)
    it('is refused in the documented shape, and the service keeps running', async () => {
      for (const { name, request } of cases) {
        const { method, path, ...options } = request
        const answer = await callerOf(route).send(method, path, options)
        expect(answer.status, name).toBeGreaterThanOrEqual(400)
        expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500)
        expect(errorBodySchema.safeParse(answer.body).success, `${name}: ${answer.text}`).toBe(true)
        expect(answer.text.length, name).toBeLessThan(8_192)
      }
      expect((await world.at().get('/healthz')).status).toBe(200)
    })
  })

  it('changes no data', async () => {
    expect(await snapshot(world)).toEqual(before)
    expect(world.provider.calls).toEqual([])
  })
})
