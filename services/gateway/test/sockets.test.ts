import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect as dial, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Given, givenGateway, publicUrl } from './given.ts'

/** Realtime as the gateway sees it: polling is answered with the request's body, an upgraded connection echoes. */
async function startRealtime() {
  const received: IncomingMessage[] = []
  const open = new Set<Socket>()
  const server = createServer(async (asked, response) => {
    received.push(asked)
    let length = 0
    try {
      for await (const part of asked) length += (part as Buffer).length
    } catch {
      // The gateway closed it.
      return
    }
    response.end(`got ${length}`)
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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open,
    close() {
      for (const socket of open) socket.destroy()
      server.close().closeAllConnections()
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

  it('is closed when the gateway leaves, so that its client reconnects elsewhere', async () => {
    const heard = await Promise.all([opened(), opened()])
    const stopped = given.gateway.stop(10_000)
    await expect.poll(() => heard.every(({ isClosed }) => isClosed)).toBe(true)
    await stopped
  })
})

describe('socket polling', () => {
  const poll = (options: { method?: string; headers?: Record<string, string>; length?: number }) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { method = 'POST', headers = {}, length = 0 } = options
      const asked = request(`${given.url}/socket.io/?EIO=4&transport=polling`, { method, headers })
      asked.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      asked.end(Buffer.alloc(length, 'x'))
    })

  it('is relayed', async () => {
    expect(await poll({ method: 'GET' })).toBe(200)
    expect(await poll({ length: 64 * 1024 })).toBe(200)
    expect(realtime.received.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  it('with more than 64 KB is refused, declared or not', async () => {
    expect(await poll({ length: 64 * 1024 + 1 })).toBe(413)
    expect(await poll({ length: 200_000, headers: { 'transfer-encoding': 'chunked' } })).toBe(413)
  })

  it('from another site, or with another method, is refused', async () => {
    expect(await poll({ headers: { origin: 'http://evil.test' } })).toBe(403)
    expect(await poll({ method: 'GET', headers: { origin: 'http://evil.test' } })).toBe(403)
    expect(await poll({ method: 'DELETE' })).toBe(404)
    expect(realtime.received).toEqual([])
  })

  it('fails for its client only, while realtime is unavailable', async () => {
    isAway = true
    expect(await poll({ method: 'GET' })).toBe(503)
    expect((await once(request(given.url).end(), 'response'))[0].statusCode).toBe(200)
  })
})
