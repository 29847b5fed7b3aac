import { createServer } from 'node:http'
import { internalRoutes, publicRoutes, routesFor } from '@parley/contracts'
import { createHttpApp, createLogger, createMetrics, mount, type RunningService, startService } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiClient, badInputCases, testIdentity, userPrincipal } from '../src/index.ts'

const route = routesFor('chat', 'user').post('/things/:id', {
  summary: 'A thing',
  params: z.object({ id: z.string().regex(/^[a-z]{1,64}$/) }),
  query: z.object({ limit: z.coerce.number().int().min(1).max(9).optional() }),
  body: z.strictObject({
    title: z
      .string()
      .min(1)
      .max(40)
      .regex(/^[a-z]+$/),
    pinned: z.boolean().optional(),
    note: z.string().max(10).regex(/^\w*$/).nullable().optional(),
    parts: z.array(z.object({ url: z.string().regex(/^\w*$/), size: z.number().optional() })).optional(),
    rules: z.object({ names: z.array(z.string().regex(/^\w*$/)) }).optional(),
  }),
  answer: z.object({ ok: z.boolean() }),
})
const identity = testIdentity()
let service: RunningService
let reached = 0
beforeAll(async () => {
  const log = createLogger('test', 'silent')
  const deps = { log, identity, metrics: createMetrics('test', false), checks: {}, draining: () => false }
  const handler = createHttpApp(deps, (router) =>
    mount(router, route, () => {
      reached += 1
      return { body: { ok: true } }
    }),
  )
  const nothing = async () => undefined
  service = await startService(
    { name: 'test', handler, start: nothing, stop: nothing, drain: () => undefined },
    { host: '127.0.0.1', port: 0 },
  )
})
afterAll(() => service.stop(0))

describe('bad input cases', () => {
  test('exist for every route of the system', () => {
    for (const one of [...publicRoutes, ...internalRoutes]) {
      const cases = badInputCases(one)
      // A body of any shape has no fields to invalidate.
      const least = one.body instanceof z.ZodUnknown ? 12 : 15
      if (one.body !== undefined) expect(cases.length, one.path).toBeGreaterThan(least)
      expect(new Set(cases.map((entry) => entry.name)).size, one.path).toBe(cases.length)
    }
  })

  test('cover fields nested in arrays and objects', () => {
    const names = badInputCases(route).map(({ name }) => name.replace('POST /things/:id: ', ''))
    for (const where of ['parts[]', 'parts[].url', 'parts[].size', 'rules.names', 'rules.names[]']) {
      expect(names).toContain(`${where} is an operator`)
    }
    expect(names).toContain('parts[].url has a NUL')
    expect(names).toContain('rules.names[] has a lone surrogate')
  })

  test('are all refused by a service with the contract, and a valid call is not', async () => {
    const api = apiClient(service.url, identity).as(userPrincipal())
    for (const { name, request } of badInputCases(route)) {
      const answer = await api.send(request.method, request.path, request)
      expect(answer.status, name).toSatisfy((status: number) => status >= 400 && status < 500)
    }
    expect(reached).toBe(0)
    expect((await api.post('/api/things/a', { title: 'abc' })).status).toBe(200)
    expect(reached).toBe(1)
  })

  test('are accepted by a server without validation, so that the check can fail', async () => {
    const lax = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
    await new Promise<void>((resolve) => lax.listen(0, '127.0.0.1', resolve))
    const address = lax.address() as { port: number }
    const api = apiClient(`http://127.0.0.1:${address.port}`)
    const statuses = await Promise.all(
      badInputCases(route).map(async ({ request }) => (await api.send(request.method, request.path, request)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    await new Promise((resolve) => lax.close(resolve))
  })
})
