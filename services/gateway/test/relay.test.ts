import type { ServerResponse } from 'node:http'
import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { newId } from '@parley/kit'
import { type ApiCaller, type ApiClient, collect, readEvents, untilPasses } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway, publicUrl } from './given.ts'

describe('the relay', () => {
  let given: Given
  let api: ApiClient
  let ann: ApiCaller
  beforeAll(async () => {
    given = await givenGateway()
    given.auth.settings.rateLimits.web.maxRequests = 1_000
    api = given.api
    ann = await given.signIn('ann')
  })
  afterAll(() => given.close())
  beforeEach(() => {
    given.chat.received.length = 0
    given.chat.answer = (_request, response) => response.end('{}')
  })

  it('passes the request body on unchanged, byte for byte', async () => {
    const raw = '{ "message" : "h\\u00e9llo  \\n",\t"model":"v3" , "odd":1.0e2 }'
    await ann.send('POST', '/api/chat', { raw })
    expect(given.chat.received[0]?.body).toBe(raw)
  })

  it('passes on status, headers and body of the response', async () => {
    given.chat.answer = (_request, response) => {
      response.writeHead(418, { 'x-guest-remaining-messages': '1', 'content-type': 'application/json' })
      response.end('{"a":  1}')
    }
    const answer = await ann.get('/api/chat/history')
    expect([answer.status, answer.headers['x-guest-remaining-messages'], answer.text]).toEqual([418, '1', '{"a":  1}'])
  })

  it('replaces its own header by the service’s, once, and merges Vary', async () => {
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'cache-control': 'private', vary: 'accept', 'x-odd': 'kept' }).end('{}')
    }
    const { headers } = await ann.get('/api/chat/history')
    expect(headers).toMatchObject({ 'cache-control': 'private', vary: 'Origin, accept', 'x-odd': 'kept' })
  })

  it('lets a sender of far too much, which reads once it has sent all, read the refusal', async () => {
    const long = Buffer.alloc(48 * 1024 * 1024, ' ')
    const { hostname, port, host } = new URL(given.url)
    const socket = createConnection(Number(port), hostname).pause()
    socket.write(`POST /api/chat HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`)
    socket.write(`Content-Length: ${long.length}\r\n\r\n`)
    await promisify<Buffer, void>((bytes, sent) => socket.write(bytes, sent))(long)
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 .*"payload_too_large"/s)
  })

  it('tells a service the length of the body, and nothing about the caller’s connection', async () => {
    const headers = { te: 'trailers', 'proxy-authorization': 'x', cookie: 'a=b', 'x-user-id': 'root', 'x-kept': 'yes' }
    await ann.send('POST', '/api/chat/stream/s1/stop', { headers })
    await ann.send('POST', '/api/chat', { raw: '{"é":1}', headers })
    const told = given.chat.received.map(({ headers: each }) => each)
    expect(told).toMatchObject([{ 'content-length': '0', 'x-kept': 'yes' }, { 'content-length': '8' }])
    for (const name of ['te', 'proxy-authorization', 'cookie', 'x-user-id'])
      for (const one of told) expect(one).not.toHaveProperty(name)
  })

  it('passes a long response completely to a slow reader', async () => {
    const long = 'x'.repeat(4 * 1024 * 1024)
    given.chat.answer = (_request, response) => response.end(long)
    const { body } = await ann.open('GET', '/api/chat/history')
    let length = 0
    for await (const part of body) {
      length += (part as Buffer).length
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(length).toBe(long.length)
  })

  it('passes each event on when it arrives, not at the end', async () => {
    let finish: () => void = () => undefined
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 1\ndata: one\n\n')
      finish = () => response.end('id: 2\ndata: two\n\n')
    }
    const answer = await ann.open('POST', '/api/chat', { body: { message: 'x', model: 'v3' } })
    const events = readEvents(answer)
    expect((await events.next()).value).toEqual({ id: '1', data: 'one' })
    finish()
    expect(await collect(events)).toEqual([{ id: '2', data: 'two' }])
  })

  it('cancels the service’s request when the caller leaves', async () => {
    const left = new Promise<void>((resolve) => {
      given.chat.answer = (_request, response) => {
        response.once('close', () => resolve())
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: one\n\n')
      }
    })
    const leave = new AbortController()
    await ann.open('POST', '/api/chat', { body: {}, signal: leave.signal })
    leave.abort()
    await left
  })

  it('keeps no count of a caller who leaves before being identified', async () => {
    const token = await given.auth.token('leo')
    const leo = api.with({ authorization: `Bearer ${token}` })
    given.auth.users.set('leo', { active: true, rights: plainRights })
    const { answer } = given.auth
    let tell: (() => void) | undefined
    given.auth.answer = (request, response, body) => {
      if (request.url?.startsWith('/internal/principals/leo/')) tell = () => answer(request, response, body)
      else answer(request, response, body)
    }
    const figure = async (name: string, ...labels: string[]): Promise<number> => {
      const lines = (await given.metrics.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`))
      return Number(
        lines
          .find((line) => labels.every((label) => line.includes(label)))
          ?.split(' ')
          .at(-1),
      )
    }
    const ended = async () =>
      (await figure('http_request_duration_seconds_count', 'method="POST"', 'route="/api/chat"', 'status="499"')) || 0
    const endedBefore = await ended()
    const leave = new AbortController()
    const left = leo.open('POST', '/api/chat', { body: {}, signal: leave.signal })
    await untilPasses(() => expect(tell).toBeDefined())
    leave.abort()
    await expect(left).rejects.toThrow()
    await untilPasses(async () => expect(await ended()).toBe(endedBefore + 1))
    // Waits for the same lookup, behind the caller who left.
    const next = leo.get('/api/chat/history')
    given.auth.answer = answer
    tell?.()
    expect((await next).status).toBe(200)
    expect(await figure('gateway_open_streams')).toBe(0)
  })

  it('cuts the caller off when the service breaks off mid-response', async () => {
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      setImmediate(() => response.destroy())
    }
    const answer = await ann.open('POST', '/api/chat', { body: {} })
    await expect(collect(readEvents(answer))).rejects.toThrow()
  })

  it('ends the stream of a user who is banned while it runs', async () => {
    const userId = newId()
    given.auth.users.set(userId, { active: true, rights: plainRights })
    const eve = api.with({ authorization: `Bearer ${await given.auth.token(userId)}` })
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
    }
    const answer = await eve.open('POST', '/api/chat', { body: {} })
    given.auth.users.set(userId, { active: true, rights: { ...plainRights, isBanned: true } })
    await given.hub.open('auth').signal.publish('principal-changed', { userId })
    await expect(collect(readEvents(answer))).rejects.toThrow()
  })

  it('ends the stream of a user who is banned while the request is being admitted', async () => {
    const userId = newId()
    const { answer } = given.auth
    const asked = Promise.withResolvers<() => void>()
    given.auth.answer = (request, response, body) => {
      if (!request.url?.startsWith(`/internal/principals/${userId}/`)) return answer(request, response, body)
      given.auth.answer = answer
      const status = JSON.stringify({ active: true, rights: plainRights })
      asked.resolve(() => response.setHeader('content-type', 'application/json').end(status))
    }
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      // One that is not cut ends by itself.
      setTimeout(() => response.end(), 5_000)
    }
    const eve = api.with({ authorization: `Bearer ${await given.auth.token(userId)}` })
    const opening = eve.open('POST', '/api/chat', { body: {} })
    const release = await asked.promise
    given.auth.users.set(userId, { active: true, rights: { ...plainRights, isBanned: true } })
    await given.hub.open('auth').signal.publish('principal-changed', { userId })
    release()
    await expect(collect(readEvents(await opening))).rejects.toThrow()
  })

  it('answers 503 in the documented format for an unavailable service', async () => {
    const { status, body, headers } = await ann.get('/api/user/credits')
    expect(status).toBe(503)
    expect(body).toEqual({ error: expect.any(String), code: 'unavailable', requestId: headers['x-request-id'] })
  })

  it('passes each request to the service with the request id returned to the caller', async () => {
    const headers = { 'x-request-id': 'a-good-id_01' }
    const answers = [await ann.get('/api/chat/history', { headers }), await ann.get('/api/chat/history')]
    const told = given.chat.received.slice(-2).map((received) => received.headers['x-request-id'])
    expect(told).toEqual(answers.map((answer) => answer.headers['x-request-id']))
    expect(told).toEqual(['a-good-id_01', expect.stringMatching(/^\w{32}$/)])
  })

  it('refuses a body that is too long, declared or not', async () => {
    const raw = 'x'.repeat(64 * 1024 + 1)
    expect((await ann.send('POST', '/api/chat/history', { raw })).status).toBe(413)
    const chunked = await rawCall(given.url, [
      'POST /api/chat/history HTTP/1.1',
      'Host: parley.test',
      `Authorization: Bearer ${await given.auth.token('ann')}`,
      'Transfer-Encoding: chunked',
      '',
      (70_000).toString(16),
      'x'.repeat(70_000),
      '0',
      '',
      '',
    ])
    expect(chunked).toMatch(/^HTTP\/1.1 413 /)
    expect(given.chat.received).toEqual([])
  })

  it.each([
    '//admin/users',
    '/API/admin/users',
    '/api//admin/users',
    '/api/Admin/users',
    '/api/admin/users/',
    '/api/admin/users;x',
    '/api/chat/%2e%2e/admin/users',
    '/api/chat/../admin/users',
    '/api/admin%2fusers',
    '/api/./admin/users',
    '/api/internal/settings',
    '/internal/settings',
    '/metrics',
  ])('leads %s nowhere that %s does not', async (path) => {
    const answer = await rawCall(given.url, [
      `GET ${path} HTTP/1.1`,
      'Host: parley.test',
      'Accept: application/json',
      'Connection: close',
      '',
      '',
    ])
    // The HTTP parser resolves nothing: a path that is not a route as written is unknown, or needs admin rights like the real one.
    expect(answer).toMatch(/^HTTP\/1.1 (404|401) /)
    expect(given.chat.received).toEqual([])
  })

  it('ignores method override headers', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' }
    await ann.get('/api/chat/history/c1', { headers })
    expect(given.chat.received[0]?.method).toBe('GET')
    expect(given.chat.received[0]?.headers).not.toHaveProperty('x-http-method-override')
  })

  it('lists the methods of a path', async () => {
    const { status, headers } = await ann.put('/api/chat/history/c1', {})
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, DELETE'])
  })

  it.each([
    ['two lengths', ['POST /api/chat HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Content-Length: 3', '', '{}']],
    [
      'a length and chunks',
      ['POST /api/chat HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '0', '', ''],
    ],
    ['a fragment', ['GET /api/chat/history/c1#/path HTTP/1.1', 'Host: parley.test', 'Connection: close', '', '']],
    ['no sense', ['GARBAGE', '', '']],
  ])('refuses a request with %s, and closes the connection', async (_what, lines) => {
    expect(await rawCall(given.url, lines)).toMatch(/^HTTP\/1.1 400 /)
    expect(given.chat.received).toEqual([])
  })

  it.each([
    '/api/chat/history/%',
    '/api/chat/history/%E0%A4%A',
    '/%',
    `/api/${'a/'.repeat(3000)}`,
    '/api/chat?a[__proto__][x]=1',
  ])('survives %s', async (path) => {
    expect((await api.get(path)).status).toBeGreaterThanOrEqual(400)
    expect((await api.get('/healthz')).status).toBe(200)
  })

  it('lets its own origin read, and refuses requests of other sites', async () => {
    const own = await api.send('OPTIONS', '/api/chat', { headers: { origin: publicUrl } })
    expect(own.status).toBe(204)
    expect(own.headers).toMatchObject({
      'access-control-allow-origin': publicUrl,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    })
    const allowed = String(own.headers['access-control-allow-headers']).split(', ')
    expect(allowed.toSorted()).toEqual([
      ...['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id', 'x-file-name'],
      ...['x-guest-session-id', 'x-request-id', 'x-share-password', 'x-view-as'],
    ])
    const { headers } = await api.get('/api/auth/config', { headers: { origin: publicUrl } })
    expect(String(headers['access-control-expose-headers']).split(', ').toSorted()).toEqual([
      ...['content-disposition', 'etag', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'],
      ...['x-guest-remaining-messages', 'x-guest-session-id', 'x-next-cursor', 'x-request-id'],
    ])
    for (const origin of ['https://evil.test', 'null', `${publicUrl}.evil.test`, 'http://evil.parley.test']) {
      const read = await api.get('/api/chat/guest-info', { headers: { origin } })
      expect([read.status, read.headers['access-control-allow-origin']]).toEqual([403, undefined])
      expect((await api.post('/api/chat', {}, { headers: { origin } })).status).toBe(403)
    }
  })

  it('does not miss a change of settings', async () => {
    const limit = async () => (await ann.post('/api/chat', {})).headers['ratelimit-limit']
    given.auth.settings.rateLimits.web.maxRequests = 1_000
    await given.hub.open('auth').signal.publish('settings-changed', { version: 1 })
    await untilPasses(async () => expect(await limit()).toBe('1000'))
    given.auth.settings.rateLimits.web.maxRequests = 900
    await given.hub.open('auth').signal.publish('settings-changed', { version: 2 })
    await untilPasses(async () => expect(await limit()).toBe('900'))
  })
})

describe('a silent service', () => {
  it('still answers an import, with progress or outcome only, after the timeout of other calls', async () => {
    const given = await givenGateway({ relayTimes: { answerMs: 200, streamMs: 600_000 } })
    given.auth.users.set('ann', { active: true, rights: plainRights })
    const { api } = given
    const ann = api.with({ authorization: `Bearer ${await given.auth.token('ann')}` })
    const silent: ServerResponse[] = []
    given.chat.answer = (_request, response) => void silent.push(response)
    const imports = ['application/json', 'text/event-stream'].map((accept) =>
      ann.post('/api/chat/import', [], { headers: { accept } }),
    )
    await untilPasses(() => expect(silent).toHaveLength(2))
    // Started later, and timed out.
    expect((await ann.get('/api/chat/history')).status).toBe(503)
    for (const response of silent) response.end('"imported"')
    expect((await Promise.all(imports)).map(({ status, body }) => [status, body])).toEqual([
      [200, 'imported'],
      [200, 'imported'],
    ])
    await given.close()
  })
})

/** Sends raw lines over a connection and resolves to everything received until it closes or the response ends. */
function rawCall(url: string, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1', () => socket.write(lines.join('\r\n')))
    let text = ''
    socket.on('data', (data) => {
      text += data
      // The tests check the status only.
      if (text.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
    )
  })
}
