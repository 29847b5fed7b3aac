import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect as dial, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { testIdentity } from '@parley/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Given, givenGateway, identity, publicUrl } from './given.ts'

/** Realtime as the gateway sees it: polling is answered with the request's body, an upgraded connection echoes. */
async function startRealtime() {
  const received: IncomingMessage[] = []
  const open = new Set<Socket>()
  const state = { answer: (): Promise<void> => Promise.resolve(), connections: 0 }
  const server = createServer(async (asked, response) => {
    received.push(asked)
    let length = 0
    try {
      for await (const part of asked) length += (part as Buffer).length
    } catch {
      // The gateway closed it.
      return
    }
    await state.answer()
    response.end(`got ${length}`)
  })
  server.on('connection', () => {
    state.connections += 1
  })
  server.on('upgrade', (asked, socket: Socket, head) => {
    received.push(asked)
    open.add(socket.on('error', () => undefined))
    socket.once('close', () => open.delete(socket))
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    socket.write(head)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open,
    cut: () => server.closeAllConnections(),
    close() {
      for (const socket of open) socket.destroy()
      server.close().closeAllConnections()
    },
  })
}

/** A port whose owner accepts no connection: once its queue is full, further attempts to connect get no response. */
async function startDeaf() {
  const worker = new Worker(
    `const { createServer } = require('node:net')
    const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port)
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })`,
    { eval: true },
  )
  const [port] = (await once(worker, 'message')) as [number]
  const waiting = Array.from({ length: 8 }, () => dial(port, '127.0.0.1').on('error', () => undefined))
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of waiting) socket.destroy()
      await worker.terminate()
    },
  }
}

let realtime: Awaited<ReturnType<typeof startRealtime>>
let given: Given
let isAway = false
beforeAll(async () => {
  realtime = await startRealtime()
})
afterAll(() => realtime.close())
beforeEach(async () => {
  isAway = false
  realtime.received.length = 0
  realtime.answer = () => Promise.resolve()
  given = await givenGateway({ realtimeUrl: () => (isAway ? 'http://127.0.0.1:9' : realtime.url) })
})
afterEach(() => given.close())

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
/** A connection on which these lines were sent; responses accumulate in `text`. */
function say(lines: string) {
  const { hostname, port } = new URL(given.url)
  const heard = { text: '', isClosed: false, socket: dial(Number(port), hostname) }
  heard.socket.on('data', (data) => {
    heard.text += data.toString('latin1')
  })
  heard.socket.on('error', () => undefined)
  heard.socket.once('close', () => {
    heard.isClosed = true
  })
  heard.socket.write(lines)
  return heard
}
const ask = (more = '', path = '/socket.io/?EIO=4&transport=websocket') =>
  say(`GET ${path} HTTP/1.1\r\nHost: parley.test\r\n${upgrade}${more}\r\n`)
async function opened(more = '') {
  const heard = ask(more)
  await expect.poll(() => heard.text).toMatch(/^HTTP\/1\.1 101/)
  return heard
}

describe('a WebSocket', () => {
  it('is relayed byte for byte in both directions, without the headers that only the gateway may set', async () => {
    const forged = 'x-identity: forged\r\nx-user-id: u1\r\nauthorization: Bearer x\r\ncookie: a=b\r\n'
    const heard = await opened(`${forged}Origin: ${publicUrl}\r\n`)
    const bytes = Buffer.from(Array.from({ length: 256 }, (_none, index) => index))
    heard.socket.write(bytes)
    await expect.poll(() => heard.text.endsWith(bytes.toString('latin1'))).toBe(true)
    const [asked] = realtime.received
    expect(asked?.url).toBe('/socket.io/?EIO=4&transport=websocket')
    expect(Object.keys(asked?.headers ?? {}).sort()).toEqual(['connection', 'host', 'origin', 'upgrade', 'x-identity'])
    expect(given.principal(asked)).toMatchObject({ kind: 'guest', network: '4:127.0.0.1' })
    heard.socket.destroy()
  })

  it('closed by one side is closed on the other, too', async () => {
    const first = await opened()
    first.socket.resetAndDestroy()
    await expect.poll(() => realtime.open.size).toBe(0)
    const second = await opened()
    for (const socket of realtime.open) socket.destroy()
    await expect.poll(() => second.isClosed).toBe(true)
  })

  it.each(['null', 'http://evil.test', 'http://parley.test.evil.test', 'http://evil.parley.test'])(
    'of a page of %s is refused',
    async (origin) => {
      const heard = ask(`Origin: ${origin}\r\n`)
      await expect.poll(() => heard.isClosed).toBe(true)
      expect(heard.text).toMatch(/^HTTP\/1\.1 403[\s\S]*"code":"forbidden"/)
      expect(realtime.received).toEqual([])
    },
  )

  it('with an ambiguous request is refused', async () => {
    const heard = ask('Host: other\r\n')
    await expect.poll(() => heard.isClosed).toBe(true)
    expect(heard.text).toMatch(/^HTTP\/1\.1 400/)
  })

  it.each(['/socket.io', '/socket.io/x', '/SOCKET.IO/', '//socket.io/', '/api/socket.io/', '/socket.io/../internal/'])(
    'is not accepted at %s',
    async (path) => {
      const heard = ask('Connection: close\r\n', path)
      await expect.poll(() => heard.text).toMatch(/^HTTP\/1\.1 (404|200|400)/)
      expect(realtime.received).toEqual([])
      heard.socket.destroy()
    },
  )

  it('fails for its client only, while realtime is unavailable', async () => {
    isAway = true
    const heard = ask()
    await expect.poll(() => heard.isClosed).toBe(true)
    expect(heard.text).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: 2[\s\S]*"code":"unavailable"/)
    isAway = false
    ;(await opened()).socket.destroy()
  })

  it('is closed on both sides when the gateway leaves, so that its client reconnects elsewhere', async () => {
    const heard = await Promise.all([opened(), opened()])
    const stopped = given.gateway.stop(10_000)
    await expect.poll(() => heard.every(({ isClosed }) => isClosed)).toBe(true)
    await expect.poll(() => realtime.open.size).toBe(0)
    await stopped
  })
})

describe('socket polling', () => {
  const poll = (
    options: { method?: string; headers?: Record<string, string>; length?: number; sid?: string; url?: string } = {},
  ) =>
    new Promise<{ status: number | undefined; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
      const { method = 'GET', headers = {}, length = 0, sid, url = given.url } = options
      const session = sid === undefined ? '' : `&sid=${sid}`
      const asked = request(`${url}/socket.io/?EIO=4&transport=polling${session}`, { method, headers })
      asked.on('error', reject)
      asked.on('response', async (answer) =>
        resolve({ status: answer.statusCode, text: await text(answer), headers: answer.headers }),
      )
      asked.end(Buffer.alloc(length, 'x'))
    })

  it('is relayed', async () => {
    expect((await poll()).status).toBe(200)
    expect((await poll({ method: 'POST', length: 64 * 1024 })).status).toBe(200)
    expect(realtime.received.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  it('with more than 64 KB is refused, declared or not', async () => {
    expect((await poll({ method: 'POST', length: 64 * 1024 + 1 })).status).toBe(413)
    const chunked = { 'transfer-encoding': 'chunked' }
    expect((await poll({ method: 'POST', length: 200_000, headers: chunked })).status).toBe(413)
  })

  it('from another site, or with another method, is refused', async () => {
    expect((await poll({ method: 'POST', headers: { origin: 'http://evil.test' } })).status).toBe(403)
    expect((await poll({ headers: { origin: 'http://evil.test' } })).status).toBe(403)
    expect((await poll({ method: 'DELETE' })).status).toBe(404)
    expect(realtime.received).toEqual([])
  })

  it('can be read by pages of the product’s other origins', async () => {
    const { headers } = await poll({ headers: { origin: 'http://127.0.0.1' } })
    expect(headers).toMatchObject({ 'access-control-allow-origin': 'http://127.0.0.1', vary: 'Origin' })
  })

  it('fails for its client only, while realtime is unavailable', async () => {
    isAway = true
    expect((await poll()).status).toBe(503)
    expect((await once(request(given.url).end(), 'response'))[0].statusCode).toBe(200)
  })

  it('is relayed for more clients at once than connections are kept, and one that waits delays no other', async () => {
    const [clients, release] = [300, Promise.withResolvers<void>()]
    realtime.answer = () => release.promise
    const polls = Array.from({ length: clients }, () => poll())
    await expect.poll(() => realtime.received.length).toBe(clients)
    release.resolve()
    expect(new Set((await Promise.all(polls)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  describe('of a session', () => {
    let other: Awaited<ReturnType<typeof startRealtime>>
    beforeAll(async () => {
      other = await startRealtime()
    })
    afterAll(() => other.close())
    beforeEach(() => {
      other.received.length = 0
      Object.assign(other, { connections: 0, answer: () => Promise.resolve() })
    })
    const addressOf = (url: string): string => new URL(url).host
    const idAt = (url: string, by = identity): string => `id.${by.signAddress(addressOf(url))}`
    const gone = { status: 400, text: '{"code":1,"message":"Session ID unknown"}' }

    it('is relayed to the replica that keeps it, by every gateway, also when it is upgraded to a WebSocket', async () => {
      const second = await givenGateway({ realtimeUrl: () => realtime.url })
      const sid = idAt(other.url)
      for (const { url } of [given, second]) {
        expect((await poll({ sid, url })).status).toBe(200)
        expect((await poll({ sid, url, method: 'POST', length: 10 })).text).toBe('got 10')
      }
      const upgraded = ask('', `/socket.io/?EIO=4&transport=websocket&sid=${sid}`)
      await expect.poll(() => upgraded.text).toMatch(/^HTTP\/1\.1 101/)
      upgraded.socket.destroy()
      await second.close()
      expect(other.received).toHaveLength(5)
      expect(realtime.received).toEqual([])
    })

    it.each([
      ['is signed by a stranger', (url: string) => idAt(url, testIdentity())],
      ['is not signed', (url: string) => `id.${addressOf(url)}`],
      ['is of no private network', () => `id.${identity.signAddress('8.8.8.8:80')}`],
      ['is missing', () => 'id'],
    ])('is relayed to any replica if its address %s', async (_why, sidOf) => {
      const sid = sidOf(other.url)
      expect((await poll({ sid })).status).toBe(200)
      const upgraded = ask('', `/socket.io/?EIO=4&transport=websocket&sid=${sid}`)
      await expect.poll(() => upgraded.text).toMatch(/^HTTP\/1\.1 101/)
      upgraded.socket.destroy()
      expect(realtime.received).toHaveLength(2)
      expect([other.received, other.connections]).toEqual([[], 0])
    })

    it('is answered as unknown if nothing listens at the address of its replica', async () => {
      const sid = idAt('http://127.0.0.1:9')
      expect(await poll({ sid })).toMatchObject(gone)
      expect(await poll({ sid, method: 'POST', length: 10 })).toMatchObject(gone)
      expect(realtime.received).toEqual([])
    })

    it('is answered as unknown if the address of its replica swallows attempts to connect', async () => {
      const deaf = await startDeaf()
      expect(await poll({ sid: idAt(deaf.url) })).toMatchObject(gone)
      await deaf.close()
    })

    it('fails if its replica dies meanwhile', async () => {
      other.answer = async () => other.cut()
      expect((await poll({ sid: idAt(other.url) })).status).toBe(503)
    })

    it('continues while the gateway leaves, which begins no session any more', async () => {
      given.drain()
      expect((await poll({ sid: idAt(other.url) })).status).toBe(200)
      expect((await poll()).status).toBe(503)
    })
  })
})
