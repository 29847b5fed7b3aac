import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { routesFor } from '@parley/contracts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createIdentities, createServiceClient, freePort, identityHeader, type ServiceClient } from '../src/index.ts'

const identity = createIdentities()('chat')
const internal = routesFor('auth', 'service')
const summary = 'Test'
const thing = internal.get('/internal/things/:id', {
  summary,
  params: z.object({ id: z.string() }),
  answer: z.object({ name: z.string() }),
})
const lines = internal.get('/internal/lines', { summary, stream: true })

let server: Server | undefined
let client: ServiceClient | undefined
afterEach(async () => {
  vi.useRealTimers()
  await client?.close()
  server?.closeAllConnections()
  server?.close()
})

/** A client of a service that answers so. */
async function given(answer: RequestListener): Promise<ServiceClient> {
  server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = createServiceClient({ self: 'chat', locate: () => url, identity })
  return client
}
const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const call = (from: ServiceClient, options: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
  from.call(thing, { params: { id: 'a' }, ...options })

describe('a call between services', () => {
  it('states its caller, and its path cannot be changed by a parameter', async () => {
    let asked: { url: string | undefined; caller: unknown } | undefined
    const from = await given((request, response) => {
      asked = { url: request.url, caller: identity.verify(request.headers[identityHeader] as string) }
      json(200, { name: 'x', more: 1 })(request, response)
    })
    expect(await from.call(thing, { params: { id: '../a?b#c' } })).toEqual({ name: 'x' })
    expect(asked).toMatchObject({
      url: '/internal/things/..%2Fa%3Fb%23c',
      caller: { kind: 'service', service: 'chat' },
    })
  })

  const refusal = (code: string) => ({ error: 'No', code, requestId: 'r' })
  it.each([
    ['a refusal that people may see', 404, refusal('not_found'), 'not_found'],
    ['a refusal of this service itself', 401, refusal('unauthenticated'), 'unavailable'],
    ['a fault', 500, refusal('internal_error'), 'unavailable'],
    ['an error of somebody else', 502, { message: 'Bad gateway' }, 'unavailable'],
    ['nonsense', 200, { nome: 'x' }, 'unavailable'],
  ])('that gets %s fails with that error', async (_what, status, body, code) => {
    await expect(call(await given(json(status, body)))).rejects.toMatchObject({ code })
  })

  it('that is refused because of the present state passes it on, also for a stream', async () => {
    const details = [{ path: 'name', message: 'Taken' }]
    const from = await given(json(409, { ...refusal('conflict'), details, current: { version: 2 } }))
    const conflict = { code: 'conflict', details, current: { version: 2 } }
    await expect(call(from)).rejects.toMatchObject(conflict)
    await expect(from.open(lines)).rejects.toMatchObject(conflict)
  })

  it('that is refused keeps the Retry-After of the refusal', async () => {
    const from = await given((_request, response) => {
      const body = JSON.stringify({ error: 'Later', code: 'unavailable', requestId: 'r' })
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' }).end(body)
    })
    await expect(call(from)).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '7' } })
  })

  it('that a rate limit refuses keeps the limit’s headers', async () => {
    const headers = { 'retry-after': '7', 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'ratelimit-reset': '7' }
    const from = await given((_request, response) => {
      const body = JSON.stringify(refusal('rate_limited'))
      response.writeHead(429, { 'content-type': 'application/json', 'x-other': 'x', ...headers }).end(body)
    })
    await expect(call(from)).rejects.toMatchObject({ code: 'rate_limited', headers })
  })

  it('that gets no response times out, also if the caller could abort it', async () => {
    const from = await given(() => undefined)
    await expect(call(from, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'unavailable' })
    const { signal } = new AbortController()
    await expect(call(from, { signal, timeoutMs: 50 })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(from.open(lines, { signal, timeoutMs: 50 })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('for a stream that is refused times out when the refusal does not come whole', async () => {
    const from = await given((_request, response) => void response.writeHead(503).write('{'))
    await expect(from.open(lines, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('whose response is a stream has a timeout for its beginning, not for the stream', async () => {
    let finish: () => void = () => undefined
    const from = await given((_request, response) => {
      response.write('one\n')
      finish = () => response.end('two\n')
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const body = await from.open(lines, { timeoutMs: 1_000 })
    vi.advanceTimersByTime(60_000)
    finish()
    expect(await text(body)).toBe('one\ntwo\n')
  })
})

it('a call goes to the given replica, or to any if that one may not be called', async () => {
  const told = createServer(json(200, { name: 'told' }))
  told.listen(0, '127.0.0.1')
  await once(told, 'listening')
  const { port } = told.address() as AddressInfo
  const from = await given(json(200, { name: 'any' }))
  const at = (replica?: string) => from.call(thing, { params: { id: 'a' }, replica })
  try {
    expect(await Promise.all([at(`127.0.0.1:${port}`), at(`localhost:${port}`), at()])).toEqual([
      { name: 'told' },
      { name: 'any' },
      { name: 'any' },
    ])
  } finally {
    told.closeAllConnections()
    told.close()
  }
})

describe('a call that cannot connect', () => {
  const change = internal.post('/internal/changes', { summary, body: z.object({ to: z.string() }) })

  /** Leads to nobody so many times, as an address may whose replica has just left, and then to the service; counts what it was asked. */
  const absent = async (times: number) => {
    const seen: string[] = []
    await given(async (request, response) => {
      seen.push(await text(request))
      json(200, { name: 'x' })(request, response)
    })
    const { port } = (server as Server).address() as AddressInfo
    const gone = await freePort('127.0.0.1')
    let asked = 0
    const locate = () => {
      asked += 1
      return `http://127.0.0.1:${asked <= times ? gone : port}`
    }
    client = createServiceClient({ self: 'chat', locate, identity })
    return { from: client, seen, asked: () => asked }
  }

  it('is retried, even if it changes something: nothing was sent', async () => {
    const { from, seen } = await absent(2)
    await from.call(change, { body: { to: 'a' } })
    expect(seen).toEqual(['{"to":"a"}'])
  })

  it('fails if no replica becomes available in time', async () => {
    const never = await absent(Number.POSITIVE_INFINITY)
    await expect(call(never.from)).rejects.toMatchObject({ code: 'unavailable' })
    expect(never.asked()).toBe(3)
    const late = await absent(Number.POSITIVE_INFINITY)
    await expect(call(late.from, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'unavailable' })
    expect(late.asked()).toBe(1)
  })

  it('to a specific replica is not retried here, but by its caller elsewhere', async () => {
    const { from, asked } = await absent(0)
    const replica = `127.0.0.1:${await freePort('127.0.0.1')}`
    await expect(from.call(change, { body: { to: 'a' }, replica })).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked()).toBe(1)
  })
})

describe('a call whose connection breaks before the response', () => {
  const change = internal.post('/internal/changes', { summary, body: z.object({ to: z.string() }) })

  /** Breaks so many connections, then answers; counts the calls. */
  const breaking = async (times: number) => {
    const seen: string[] = []
    const from = await given(async (request, response) => {
      seen.push(await text(request))
      if (seen.length <= times) request.socket.destroy()
      else json(200, { name: 'x' })(request, response)
    })
    return { from, seen }
  }
  const unavailable = { code: 'unavailable' }

  it('is repeated twice if it only reads: several kept connections may lead to the replica that left', async () => {
    const twice = await breaking(2)
    expect(await call(twice.from)).toEqual({ name: 'x' })
    expect(twice.seen).toHaveLength(3)
    const always = await breaking(4)
    await expect(call(always.from)).rejects.toMatchObject(unavailable)
    expect(always.seen).toHaveLength(3)
  })

  it('that changes something is repeated only if it is declared repeatable', async () => {
    const { from, seen } = await breaking(2)
    await expect(from.call(change, { body: { to: 'a' } })).rejects.toMatchObject(unavailable)
    await from.call(change, { body: { to: 'b' }, repeat: true })
    expect(seen).toEqual(['{"to":"a"}', '{"to":"b"}', '{"to":"b"}'])
  })
})
