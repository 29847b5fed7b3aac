import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { apiErrorSchema, apiRoutes, isMessagesPath, messagesErrorSchema, type Route } from '@parley/contracts'
import { identityHeader } from '@parley/kit'
import { badInputCases, keyPrincipal, pathOf } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

const routes = Object.values<Route>(apiRoutes)
const withCases = routes.filter((route) => badInputCases(route).length > 0)
const withBody = routes.filter(({ body }) => body !== undefined)
const named = (some: readonly Route[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const)

describe('invalid input of programs', () => {
  let given: GivenApi
  beforeAll(async () => {
    given = await givenApi()
  })
  afterAll(() => given.stop())

  const errorSchemaOf = (path: string) => (isMessagesPath(path) ? messagesErrorSchema : apiErrorSchema)
  const send = (route: Route, raw: string | Buffer, headers: Record<string, string> = {}) =>
    given
      .as(keyPrincipal())
      .send(route.method, pathOf(route), { raw, headers: { 'content-type': 'application/json', ...headers } })

  it.each(named(withCases))(
    'is refused by %s in the format of its dialect, without a hold or a call',
    async (_name, route) => {
      for (const { name, request } of badInputCases(route)) {
        const { method, path, ...options } = request
        const answer = await given.as(keyPrincipal()).send(method, path, options)
        expect(answer.status, `${name}: ${answer.text}`).toBeGreaterThanOrEqual(400)
        expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500)
        const schema = errorSchemaOf(path.split('?', 1)[0] ?? '')
        expect(schema.safeParse(answer.body).success, `${name}: ${answer.text}`).toBe(true)
        expect(answer.text.length, name).toBeLessThan(8_192)
      }
      expect([given.provider.calls, given.billing.holds.size]).toEqual([[], 0])
    },
  )

  it.each(named(withBody))('that is packed, too deep, too wide or too long is refused by %s', async (_name, route) => {
    const deep = '['.repeat(101) + ']'.repeat(101)
    const wide = `[${'0,'.repeat((route.bodyValues ?? 0) + 1)}0]`
    const long = Buffer.alloc((route.bodyLimit ?? 0) + 1, ' ')
    expect((await send(route, '{}', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await send(route, deep)).status).toBe(400)
    expect((await send(route, wide)).status).toBe(Buffer.byteLength(wide) > long.length ? 413 : 400)
    expect((await send(route, long)).status).toBe(413)
  })

  it('that stalls is refused by every route with 408 in the format of its dialect, without a hold or a call', async () => {
    const stalled = async (route: Route) => {
      const headers = {
        [identityHeader]: given.identity.sign(keyPrincipal()),
        'content-type': 'application/json',
        'content-length': '2000',
      }
      const sending = request(given.url + pathOf(route), { method: route.method, headers, agent: false })
      sending.on('error', () => undefined).write('{"a":1')
      const [answer] = (await once(sending, 'response')) as [IncomingMessage]
      const isOfDialect = errorSchemaOf(pathOf(route)).safeParse(await json(answer)).success
      sending.destroy()
      return [`${route.method} ${route.path}`, answer.statusCode, isOfDialect]
    }
    const refused = withBody.map(({ method, path }) => [`${method} ${path}`, 408, true])
    expect(await Promise.all(withBody.map(stalled))).toEqual(refused)
    expect(refused.length).toBeGreaterThan(2)
    expect([given.provider.calls, given.billing.holds.size]).toEqual([[], 0])
  })
})
