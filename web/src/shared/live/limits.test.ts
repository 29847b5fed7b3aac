import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { useSession } from '../session/session.ts'
import { backoffDelay } from './backoff.ts'
import { liveLimits } from './connection.ts'
import { openSocket } from './open-socket.ts'

const { io } = vi.hoisted(() => ({ io: vi.fn() }))
vi.mock('socket.io-client', async (importOriginal) => {
  const original = await importOriginal<typeof import('socket.io-client')>()
  io.mockImplementation(original.io)
  return { ...original, io }
})

beforeEach(() => {
  givenStorage()
  // A port on which nothing listens.
  vi.stubGlobal('location', new URL('http://127.0.0.1:1'))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a lost connection is retried 20 times, every 500 to 5000 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const socket = await openSocket()
  const refused = () => new Promise((resolve) => void socket.once('connect_error', resolve))
  const waits: number[] = []
  let gaveUp = false
  socket.io.on('reconnect_failed', () => {
    gaveUp = true
  })
  socket.connect()
  await refused()
  while (!gaveUp) {
    const before = Date.now()
    vi.advanceTimersToNextTimer()
    waits.push(Date.now() - before)
    await refused()
  }
  expect(waits).toHaveLength(20)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...waits)).toBe(5_000)
})

it('a refused connection is retried 20 times, every 500 to 5000 ms', () => {
  expect(liveLimits).toEqual({ tries: 20, backoff: { minMs: 500, maxMs: 5_000 } })
  const tries = Array.from({ length: liveLimits.tries }, (_, index) => index + 1)
  const delays = tries.flatMap((nth) => [0, 0.5, 0.999].map((random) => backoffDelay(liveLimits.backoff, nth, random)))
  expect(Math.min(...delays)).toBe(500)
  expect(Math.max(...delays)).toBeGreaterThan(4_900)
  expect(Math.max(...delays)).toBeLessThanOrEqual(5_000)
})

it('the socket is at /realtime under /socket.io, has 20 s to connect, and sends the token only in the handshake', async () => {
  await openSocket()
  const [address, options] = io.mock.lastCall ?? []
  expect(new URL(address, location.origin).pathname).toBe('/realtime')
  expect(options).toMatchObject({ path: '/socket.io', timeout: 20_000 })
  useSession.setState({ token: 'the.current.token' })
  const given: unknown[] = []
  options.auth((handshake: unknown) => given.push(handshake))
  expect(given).toEqual([{ token: 'the.current.token' }])
  expect(JSON.stringify([address, options])).not.toContain('the.current.token')
})
