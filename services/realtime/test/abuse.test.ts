import { request } from 'node:http'
import { connect as dial } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenRealtime } from './given.ts'

let given: Given
beforeAll(async () => {
  given = await givenRealtime({ packets: { burst: 100, perSecond: 10 }, signInMs: 6_000 })
})
afterAll(async () => {
  // The service survived the abuse.
  const ann = await given.connect('survivor')
  expect(ann.socket.connected).toBe(true)
  await given.close()
})

const place = () => `${given.url}/socket.io/?EIO=4`
/** A transport connection on which nothing was sent yet. */
async function rawSocket(at = place()): Promise<WebSocket> {
  const socket = new WebSocket(`${at.replace('http', 'ws')}&transport=websocket`)
  await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
  return socket
}
const closed = (socket: WebSocket) =>
  socket.readyState === WebSocket.CLOSED
    ? Promise.resolve()
    : new Promise((resolve) => socket.addEventListener('close', resolve))

describe('a connection that breaks the protocol is closed', () => {
  it.each([
    ['a malformed transport packet', 'zzz'],
    ['a namespace without an end', '40/realtime'.padEnd(2_000, 'x')],
    ['truncated JSON', '42/realtime,["join",{'],
    ['an event before signing in', '42/realtime,["join",{"chatId":"c1"}]'],
    ['an event with a reserved name', '42/realtime,["disconnect"]'],
    ['attachments that never arrive', '4599999999-/realtime,["join"]'],
    ['more than 64 KB', `42/realtime,["join","${'x'.repeat(70_000)}"]`],
  ])('after sending %s', async (_name, packet) => {
    const socket = await rawSocket()
    socket.send(packet)
    await closed(socket)
  })

  it('after sending an invalid WebSocket frame', async () => {
    const { hostname, port } = new URL(given.url)
    const socket = dial(Number(port), hostname)
    const head = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    socket.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: parley.test\r\n${head}${key}\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.on('error', () => undefined).resume()
    socket.write(Buffer.alloc(1_000, 0xff))
    await new Promise((resolve) => socket.once('close', resolve))
  })

  it('after joining thousands of chats: rate_limited', async () => {
    const mallory = await given.connect('mallory')
    const asked = given.backend.asked.length
    for (let count = 0; count < 10_000; count += 1) mallory.say('join', { chatId: `c${count}` })
    await expect.poll(() => mallory.socket.connected).toBe(false)
    expect(mallory.all('goodbye')).toEqual([{ code: 'rate_limited' }])
    expect(given.backend.asked.length - asked).toBeLessThanOrEqual(110)
  })

  it('after not answering a ping', async () => {
    const own = await givenRealtime({ pingMs: 100, pongMs: 100 })
    await closed(await rawSocket(`${own.url}/socket.io/?EIO=4`))
    await own.close()
  })
})

describe('the polling transport', () => {
  const post = (path: string, length: number): Promise<number | string> =>
    new Promise((resolve) => {
      const asked = request(path, { method: 'POST', headers: { 'content-type': 'text/plain' } })
      asked.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      asked.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''))
      const part = Buffer.alloc(64 * 1024, 'x')
      const write = (left: number): void => {
        if (left <= 0 || asked.destroyed) asked.end()
        else asked.write(part, () => write(left - part.length))
      }
      write(length)
    })

  it('does not keep a body of 100 MB in memory', async () => {
    const opened = await (await fetch(`${place()}&transport=polling`)).text()
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string }
    const before = process.memoryUsage().rss
    expect([413, 'ECONNRESET', 'EPIPE']).toContain(await post(`${place()}&transport=polling&sid=${sid}`, 100_000_000))
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })

  it.each([
    '&transport=smoke',
    '&transport=polling&sid=unknown',
    '&transport=websocket',
    '&transport=polling&sid=__proto__',
  ])('refuses a request with %s: 400', async (query) => {
    expect((await fetch(place() + query)).status).toBe(400)
  })
})
