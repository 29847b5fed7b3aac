import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { type Principal, routesFor } from '@parley/contracts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  AppError,
  createHttpApp,
  createIdentities,
  createLogger,
  createMetrics,
  identityHeader,
  mount,
  mountStream,
  notFound,
  type RunningService,
  type Service,
  type StreamFrame,
  startService,
  writeEventStream,
} from '../src/index.ts'

const keysOf = createIdentities()
const identity = keysOf('gateway')
const log = createLogger('test', 'silent')
const principal: Principal = { kind: 'guest', network: '4:127.0.0.1' }
const anyone = routesFor('chat', 'public')
const summary = 'Test'
const echo = anyone.post('/echo', { summary, body: z.object({ text: z.string().max(60) }), bodyLimit: 100 })
const echoToProgram = { ...echo, path: '/v1/echo' } as const
const broken = anyone.get('/broken', { summary })
const away = anyone.get('/away', { summary })
const half = anyone.get('/half', { summary, stream: true })
const events = anyone.get('/events', { summary, stream: true })
const listed = routesFor('chat', 'admin').get('/admin/listed', { summary })
const hang = anyone.get('/hang', { summary })
const lost = routesFor('chat', 'service').get('/internal/lost', { summary })

let running: RunningService | undefined
afterEach(async () => {
  vi.useRealTimers()
  await running?.stop(0)
  running = undefined
})

/** A service with one route for each way to answer; `acts` is what was asked of it, in order. */
async function start(
  options: { frames?: () => AsyncIterable<StreamFrame>; check?: () => Promise<unknown>; port?: number } = {},
) {
  const acts: string[] = []
  let draining = false
  const app = createHttpApp(
    {
      log,
      identity,
      metrics: createMetrics('test', false),
      checks: { engine: options.check ?? (async () => undefined) },
      draining: () => draining,
    },
    (router) => {
      mount(router, echo, ({ body }) => ({ body: body as never }))
      mount(router, echoToProgram, ({ body }) => ({ body: body as never }))
      mount(router, broken, () => {
        throw new Error('password of postgres://secret')
      })
      mount(router, away, () => {
        throw new AppError('unavailable', 'Not now')
      })
      mount(router, lost, () => {
        throw notFound()
      })
      mount(router, listed, () => ({ body: { items: acts } as never }))
      mountStream(router, half, async (_call, response) => {
        response.write('half')
        throw new Error('broken in the middle')
      })
      mountStream(router, events, async (_call, response) => {
        if (options.frames !== undefined) await writeEventStream(response, options.frames())
      })
      mountStream(router, hang, () => new Promise(() => acts.push('asked')))
    },
  )
  const service: Service = {
    name: 'test',
    handler: app,
    start: async () => void acts.push('start'),
    drain: () => {
      draining = true
      acts.push('drain')
    },
    stop: async () => void acts.push('stop'),
  }
  const starting = startService(service, { host: '127.0.0.1', port: options.port ?? 0 })
  running = await starting.catch(() => undefined)
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${running?.url}${path}`, {
      ...init,
      headers: { [identityHeader]: identity.sign(principal), 'content-type': 'application/json', ...init.headers },
    })
  return { acts, starting, call, drain: () => service.drain() }
}

describe('a response', () => {
  it('to a body in another encoding (415), or to one that the call does not take (400), is a refusal', async () => {
    const { call } = await start()
    const echoed = async (type: string) =>
      (await call('/api/echo', { method: 'POST', body: '{"text":"x"}', headers: { 'content-type': type } })).status
    expect(await echoed('application/json; charset="UTF-8"')).toBe(200)
    for (const type of ['application/json; charset=latin1', 'text/plain']) expect(await echoed(type)).toBe(415)
    const headers = { [identityHeader]: identity.sign(principal), 'content-length': '2' }
    const asked = request(`${running?.url}/api/away`, { headers }).end('{}')
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.resume().statusCode).toBe(400)
  })

  it('to a service that calls a missing route is unavailable (503), since it would take not found for an answer about its subject', async () => {
    const { call } = await start()
    const caller: Principal = { kind: 'service', service: 'chat', network: 'internal' }
    const codeOf = async (path: string, who: Principal) => {
      const headers = { [identityHeader]: (who === caller ? keysOf('chat') : identity).sign(who) }
      const answer = await call(path, { headers })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    expect(await codeOf('/internal/lost', caller)).toEqual([404, 'not_found'])
    for (const path of ['/internal/missing', '//internal/lost'])
      expect(await codeOf(path, caller)).toEqual([503, 'unavailable'])
    expect(await codeOf('/api/missing', principal)).toEqual([404, 'not_found'])
  })

  it('to a request without a body leaves its connection open, also if it is a refusal at once (404)', async () => {
    await start()
    const asked = request(`${running?.url}/api/missing`, { headers: { [identityHeader]: identity.sign(principal) } })
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
    expect([answer.resume().statusCode, answer.headers.connection]).toEqual([404, 'keep-alive'])
  })

  it('to an internal error reveals no details (500)', async () => {
    const { call } = await start()
    const answer = await call('/api/broken', { headers: { 'x-request-id': 'request-1' } })
    expect([answer.status, await answer.json()]).toEqual([
      500,
      {
        error: 'Something went wrong on our side. Please try again.',
        code: 'internal_error',
        requestId: 'request-1',
      },
    ])
  })

  it('has the id of its own request, even if two requests share an identity statement', async () => {
    const { call } = await start()
    const statement = { [identityHeader]: identity.sign(principal) }
    for (const id of ['request-1', 'request-2']) {
      const answer = await call('/api/away', { headers: { ...statement, 'x-request-id': id } })
      expect([answer.headers.get('x-request-id'), await answer.json()]).toEqual([
        id,
        expect.objectContaining({ requestId: id }),
      ])
    }
    const ids = [await call('/api/away'), await call('/api/away')].map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual([expect.stringMatching(/^\w{32}$/), expect.not.stringMatching(String(ids[0]))])
  })

  it('for an unavailable resource has Retry-After, whatever its error code (503)', async () => {
    const { call } = await start()
    const { status, headers } = await call('/api/away')
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('to an admin is revalidated: 304 until it changes, and not stored by shared caches', async () => {
    const { acts, call } = await start()
    const rights = { isAdmin: true, isSuperAdmin: false, isBanned: false, emailVerified: true }
    const admin: Principal = { kind: 'user', userId: 'a1', sessionId: 's1', rights, network: '4:127.0.0.1' }
    const ask = async (tag = '') => {
      // As a browser's cache asks; fetch would say no-cache, by which nothing is compared.
      const headers = { [identityHeader]: identity.sign(admin), 'if-none-match': tag, 'cache-control': 'max-age=0' }
      const answer = await call('/api/admin/listed', { headers })
      return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) }
    }
    const first = await ask()
    expect(first).toMatchObject({
      status: 200,
      text: '{"items":["start"]}',
      headers: { 'cache-control': 'private, no-cache', vary: expect.stringMatching(/authorization/i) },
    })
    const tag = String(first.headers.etag)
    expect(await ask(`W/${tag}`)).toMatchObject({ status: 304, text: '', headers: { etag: tag } })
    acts.push('changed')
    expect(await ask(tag)).toMatchObject({ status: 200, text: '{"items":["start","changed"]}' })
    expect((await call('/api/echo', { method: 'POST', body: '{"text":"a"}' })).headers.get('etag')).toBeNull()
  })

  it('that fails midway is interrupted, and the service keeps running', async () => {
    const { call } = await start()
    await expect(call('/api/half').then((answer) => answer.text())).rejects.toThrow()
    expect((await call('/healthz')).status).toBe(200)
  })

  it.each([
    ['too long', JSON.stringify({ text: 'x'.repeat(200) }), 413, 'payload_too_large'],
    ['no JSON', '{"text":', 400, 'validation_failed'],
    ['no UTF-8', Buffer.from('{"text":"\xff"}', 'latin1'), 400, 'validation_failed'],
    ['of the wrong shape', '{"text":1}', 400, 'validation_failed'],
  ])('to a body that is %s names the fault', async (_what, body, status, code) => {
    const { call } = await start()
    const answer = await call('/api/echo', { method: 'POST', body })
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code })])
  })
})

describe('a faulty field', () => {
  it.each([
    ['es', 'Entrada inválida'],
    ['fr-CA', 'Entrée invalide'],
    ['de', 'Ungültige Eingabe'],
    ['zh-CN', '无效输入'],
    ['ja', '無効な入力'],
    ['ar-EG', 'مدخلات غير مقبولة'],
    ['en-GB', 'Invalid input'],
    ['tlh', 'Invalid input'],
  ])('is explained in the reader’s language: %s', async (language, words) => {
    const { call } = await start()
    const headers = { 'accept-language': language }
    // Callers of several languages at once do not disturb each other.
    const [answer, other] = await Promise.all([
      call('/api/echo', { method: 'POST', body: '{"text":1}', headers }),
      call('/api/echo', { method: 'POST', body: '{"text":1}', headers: { 'accept-language': 'ja' } }),
    ])
    const message = expect.stringContaining(words)
    const said = { error: message, details: [{ path: 'text', message }] }
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining(said)])
    expect(await other.json()).toMatchObject({ error: expect.stringContaining('無効な入力') })
  })

  it.each([
    ['en', 'At most 60 characters'],
    ['es', '60 caracteres como máximo'],
    ['fr', 'Au plus 60 caractères'],
  ])('that is too long is explained in the words of the product: %s', async (language, message) => {
    const { call } = await start()
    const body = JSON.stringify({ text: 'x'.repeat(61) })
    const answer = await call('/api/echo', { method: 'POST', body, headers: { 'accept-language': language } })
    expect(await answer.json()).toMatchObject({ error: message, details: [{ path: 'text', message }] })
  })

  it('is explained to API clients in English', async () => {
    const { call } = await start()
    const headers = { 'accept-language': 'de' }
    const answer = await call('/api/v1/echo', { method: 'POST', body: '{"text":1}', headers })
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('Invalid input') } })
  })
})

it.each([
  ['no statement of identity', undefined],
  ['a forged one', 'forged'],
  ["one by a stranger's keys", createIdentities()('gateway').sign(principal)],
  ["one about a guest by a service's key", keysOf('chat').sign(principal)],
  [
    "one about another service by a service's key",
    keysOf('chat').sign({ ...principal, kind: 'service', service: 'auth' }),
  ],
])('a call with %s is refused', async (_what, statement) => {
  await start()
  const headers = statement === undefined ? {} : { [identityHeader]: statement }
  for (const path of ['/api/broken', '/api/nothing']) {
    const answer = await fetch(`${running?.url}${path}`, { headers })
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })])
  }
})

describe('an event stream', () => {
  it('numbers its frames by their entries, and sends a heartbeat every 15 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let finish: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { call } = await start({
      async *frames() {
        yield { id: 7, data: 'one' }
        await waiting
        yield { data: 'two' }
      },
    })
    const reader = (await call('/api/events')).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('id: 7\ndata: one\n\n')
    vi.advanceTimersByTime(15_000)
    expect((await reader?.read())?.value).toBe(': ping\n\n')
    finish()
    expect((await reader?.read())?.value).toBe('data: two\n\n')
    expect((await reader?.read())?.done).toBe(true)
  })

  it('ends once its reader has disconnected', async () => {
    let made = 0
    let ended = false
    const { call } = await start({
      async *frames() {
        try {
          for (;;) {
            made += 1
            yield { id: made, data: 'x'.repeat(10_000) }
            await new Promise((resolve) => setImmediate(resolve))
          }
        } finally {
          ended = true
        }
      },
    })
    const leave = new AbortController()
    const answer = await call('/api/events', { signal: leave.signal })
    await answer.body?.getReader().read()
    leave.abort()
    await expect.poll(() => ended).toBe(true)
  })
})

describe('a service', () => {
  it('is ready while its engines respond and it is not draining', async () => {
    let away = false
    const { call, drain } = await start({ check: async () => (away ? Promise.reject(new Error('away')) : undefined) })
    expect((await call('/readyz')).status).toBe(200)
    away = true
    const failed = async () => ((await (await call('/readyz')).json()) as { failed: string[] }).failed
    await expect.poll(failed).toEqual(['engine'])
    const unready = await call('/readyz')
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '2'])
    away = false
    drain()
    expect((await call('/readyz')).status).toBe(503)
    expect((await call('/healthz')).status).toBe(200)
  })

  it('that cannot listen stops what it has started', async () => {
    const other = createServer()
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { acts, starting } = await start({ port: (other.address() as AddressInfo).port })
    await expect(starting).rejects.toThrow(/EADDRINUSE/)
    expect(acts).toEqual(['start', 'stop'])
    other.close()
  })

  it('counts a request whose caller left before the answer as 499, not as a success', async () => {
    const { call, acts } = await start()
    const leave = new AbortController()
    const asked = call('/api/hang', { signal: leave.signal }).catch(() => 'left')
    await expect.poll(() => acts).toContain('asked')
    leave.abort()
    expect(await asked).toBe('left')
    const counted = async () => (await (await call('/metrics')).text()).match(/_count\{.*"\/api\/hang".*\} 1/)?.[0]
    await expect.poll(counted).toContain('status="499"')
  })

  it('drains first, then interrupts requests after the grace period, then stops, once', async () => {
    const { acts } = await start()
    const socket = createConnection(Number(new URL(running?.url ?? '').port), '127.0.0.1')
    socket.write(`GET /api/hang HTTP/1.1\r\nHost: x\r\n${identityHeader}: ${identity.sign(principal)}\r\n\r\n`)
    await expect.poll(() => acts).toContain('asked')
    const cut = once(socket, 'close')
    await Promise.all([running?.stop(20), running?.stop(20)])
    await cut
    expect(acts).toEqual(['start', 'asked', 'drain', 'stop'])
  })
})
