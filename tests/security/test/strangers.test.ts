import { errorBodySchema } from '@parley/contracts'
import { connectSocket } from '@parley/testing/socket-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ask, openSilentSocket, wantsSocket } from '../src/foreign-request.ts'
import { openSystem, type System } from '../src/system.ts'

const extra = 'https://chat.example.org'
let system: System
/** Opened before the first test. */
let silent: readonly { readonly closed: Promise<unknown> }[]
beforeAll(async () => {
  system = await openSystem({ EXTRA_ORIGINS: extra })
  silent = await Promise.all(Array.from({ length: 50 }, () => openSilentSocket(system.url)))
})
afterAll(() => system.close())
afterEach(async () => {
  expect(await system.isAlive()).toBe(true)
})

type Headers = Readonly<Record<string, string>>
const placesOf = (): Readonly<Record<string, readonly [url: string, headers: Headers, status: number]>> => ({
  page: [`${system.url}/`, { accept: 'text/html' }, 200],
  API: [`${system.url}/api/auth/config`, {}, 200],
  'polling socket': [`${system.url}/socket.io/?EIO=4&transport=polling`, {}, 200],
  WebSocket: [`${system.url}/socket.io/?EIO=4&transport=websocket`, wantsSocket, 101],
  inbox: [`${system.inboxUrl}/`, {}, 200],
  'list of mails': [`${system.inboxUrl}/messages`, {}, 200],
})
const places = ['page', 'API', 'polling socket', 'WebSocket', 'inbox', 'list of mails']
const withOrigin = places.filter((place) => place !== 'page')

async function answerOf(place: string, headers: Headers): Promise<{ status: number; code: unknown }> {
  const [url, own] = placesOf()[place] ?? ['', {}]
  const { status, body } = await ask(url, { ...own, ...headers })
  return { status, code: errorBodySchema.safeParse(body).data?.code }
}
const portOf = (place: string): string => new URL(placesOf()[place]?.[0] ?? '').port

describe('a page of another site whose host name resolves to this machine', () => {
  it.each(places)('cannot read the %s: its host is refused with 421', async (place) => {
    for (const name of ['evil.test', 'localhost.evil.test', '127.0.0.1.nip.io', '192.168.0.7']) {
      const host = `${name}:${portOf(place)}`
      const refused = { status: 421, code: 'misdirected_request' }
      expect(await answerOf(place, { host }), host).toEqual(refused)
      expect(await answerOf(place, { host, origin: `http://${host}` }), host).toEqual(refused)
    }
  })

  it.each(withOrigin)('cannot call the %s from its own origin: refused with 403', async (place) => {
    const host = `localhost:${portOf(place)}`
    for (const origin of [
      'http://evil.test',
      'null',
      `http://${host}.evil.test`,
      'http://localhost:1',
      'https://localhost',
    ]) {
      expect(await answerOf(place, { host, origin }), origin).toEqual({ status: 403, code: 'forbidden' })
    }
  })
})

it.each(places)('the %s answers under every local host name and every configured one', async (place) => {
  for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]']) {
    const host = `${name}:${portOf(place)}`
    const { status } = await answerOf(place, { host, origin: `http://${host.toLowerCase()}` })
    expect(status, host).toBe(placesOf()[place]?.[2])
  }
  const { status } = await answerOf(place, { host: new URL(extra).host, origin: extra })
  expect(status).toBe(placesOf()[place]?.[2])
})

it('sockets that never sign in are terminated even if their client does not answer, while users can sign in', async () => {
  const { token } = await system.person()
  const socket = await connectSocket(system.url, token)
  await Promise.all(silent.map(({ closed }) => closed))
  expect(socket.socket.connected).toBe(true)
  socket.close()
})

it('a health probe to a replica’s own address is answered', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect((await ask(system.url + path, { host: '10.0.3.17:8080' })).status, path).toBe(200)
  }
})
