import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { publicRoutes } from '@parley/contracts'
import { newId, readServiceAddress } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

describe('the gateway, from outside', () => {
  let world: World
  let user: Person
  let admin: Person
  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    ;[user, admin] = [await world.register(), await world.admin()]
  })
  afterAll(() => world.close())

  /** The whole answer to raw bytes; the server closes the connection, or the client does after one answer. */
  async function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(world.replicas[0]?.url ?? '')
    const socket = connect(Number(port), hostname)
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.write(text)
    await once(socket, 'close')
    return Buffer.concat(parts).toString()
  }
  const get = (target: string, headers = '') =>
    raw(`GET ${target} HTTP/1.1\r\nHost: parley.test\r\n${headers}Accept: text/html\r\nConnection: close\r\n\r\n`)
  const statusOf = (answer: string) => Number(answer.split(' ')[1])

  it.each([
    '//api/admin/stats',
    '/API/Admin/stats',
    '/api/admin/stats/',
    '/api//admin/stats',
    '/api/admin/stats;x',
    '/api/chat/%2e%2e/admin/stats',
    '/api/chat/../admin/stats',
    '/api/admin%2fstats',
    '/api/admin/stats%00',
    '/api/%61dmin/stats',
    '/api/internal/settings',
    '/internal/settings',
    '/metrics',
    '/metrics/',
    '/api/metrics',
  ])('has no route at %s, not even for an admin', async (path) => {
    const answer = await get(path, `Authorization: Bearer ${admin.token}\r\n`)
    expect(statusOf(answer), answer).toBe(404)
    expect(answer).toContain('"code":"not_found"')
  })

  it.each([
    ['an absolute target', () => get('http://evil.test/api/auth/config')],
    ['two hosts', () => get('/api/auth/config', 'Host: evil.test\r\n')],
    [
      'two identities',
      () => get('/api/user/profile', `Authorization: Bearer ${user.token}\r\nAuthorization: Bearer ${admin.token}\r\n`),
    ],
    [
      'two lengths',
      () => raw('POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\n123456'),
    ],
    [
      'a length and chunks',
      () =>
        raw(
          'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x',
        ),
    ],
  ])('answers %s once with 400, and closes the connection', async (_name, ask) => {
    expect((await ask()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })

  it('answers HEAD like GET without the body, except for streams', async () => {
    const got = await user.api.get('/api/user/profile')
    const head = await user.api.send('HEAD', '/api/user/profile')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
    expect((await world.at().send('HEAD', '/api/user/profile')).status).toBe(401)
    const stream = await user.api.send('HEAD', '/api/chat/stream/m1')
    expect([stream.status, stream.headers.allow]).toEqual([405, 'GET'])
    expect((await user.api.send('DELETE', '/api/user/profile')).headers.allow).toBe('GET, HEAD, PATCH')
  })

  it('keeps responses to different origins and users apart in caches', async () => {
    const { headers } = await world.at().get('/api/chat/models/hierarchy')
    expect(headers.vary).toBe('Origin, authorization, Accept-Encoding')
  })

  it.each([
    'null',
    'http://evil.test',
    'http://parley.test.evil.test',
    'https://parley.test',
    'http://evil.parley.test',
  ])('lets no page of %s change or read anything', async (origin) => {
    const changed = await user.api.patch('/api/user/profile', { displayName: 'x' }, { headers: { origin } })
    expect([changed.status, (changed.body as { code: string }).code]).toEqual([403, 'forbidden'])
    const read = await world.at().get('/api/auth/config', { headers: { origin } })
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([403, undefined])
  })

  it.each(['x-user-id', 'x-user-role', 'x-internal-user', 'x-identity', 'x-forwarded-user', 'x-http-method-override'])(
    'ignores %s from outside',
    async (name) => {
      const headers = { [name]: name === 'x-http-method-override' ? 'PATCH' : (admin.user._id ?? '') }
      expect((await user.api.get('/api/admin/stats', { headers })).status).toBe(403)
      expect((await world.at().get('/api/user/profile', { headers })).status).toBe(401)
    },
  )

  it('has services refuse calls on their own sockets, whatever identity is claimed', async () => {
    for (const { method, path, service, access } of publicRoutes.filter(({ service }) => service !== 'gateway')) {
      if (access === 'public') continue
      const { socketPath = '' } = readServiceAddress(world.replicas[0]?.urlOf(service) ?? '')
      const headers = { authorization: `Bearer ${admin.token}`, 'x-identity': admin.token, 'x-user-id': admin.user._id }
      const call = request({ socketPath, path: `/api${path.replace(/:\w+/g, 'x')}`, method, headers }).end()
      const [response] = (await once(call, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode, `${method} ${path}`).toBe(401)
    }
  })

  it('sends the limit with a refusal for too many attempts', async () => {
    const wrong = { identifier: `nobody-${newId().slice(0, 8)}`, password: 'wrong' }
    const answers = await Promise.all(Array.from({ length: 12 }, () => world.at().post('/api/auth/login', wrong)))
    const { headers, status } = answers.find((answer) => answer.status === 429) ?? {}
    expect(status).toBe(429)
    expect(headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '0' })
    expect(headers?.['retry-after']).toBe(headers?.['ratelimit-reset'])
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
  })
})
