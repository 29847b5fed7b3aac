import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '../session/session.ts'
import { backoffDelay } from './backoff.ts'
import { liveLimits } from './live.ts'
import { openSocket } from './open-socket.ts'

const { io } = vi.hoisted(() => ({ io: vi.fn() }))
vi.mock('socket.io-client', () => ({ io }))

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('location', { origin: 'https://parley.test' })
})
afterEach(() => vi.unstubAllGlobals())

it('a connection that was lost is tried 20 times, 500 to 5000 ms apart', () => {
  expect(liveLimits).toEqual({ tries: 20, backoff: { minMs: 500, maxMs: 5_000 } })
  const tries = Array.from({ length: liveLimits.tries }, (_, index) => index + 1)
  const delays = tries.flatMap((nth) => [0, 0.5, 0.999].map((random) => backoffDelay(liveLimits.backoff, nth, random)))
  expect(Math.min(...delays)).toBe(500)
  expect(Math.max(...delays)).toBeGreaterThan(4_900)
  expect(Math.max(...delays)).toBeLessThanOrEqual(5_000)
})

it('the socket is at /realtime under /socket.io, has 20 s to connect, and gives the token in the handshake only', async () => {
  const socket = { on: vi.fn(), connect: vi.fn(), disconnect: vi.fn(), emit: vi.fn() }
  io.mockReturnValue(socket)
  const opened = await openSocket({ connected: () => undefined, lost: () => undefined, told: () => undefined })
  const [address, options] = io.mock.calls[0] ?? []
  expect(new URL(address, 'https://parley.test').pathname).toBe('/realtime')
  expect(options).toMatchObject({ path: '/socket.io', timeout: 20_000 })
  useSession.setState({ token: 'the.current.token' })
  const given: unknown[] = []
  options.auth((handshake: unknown) => given.push(handshake))
  expect(given).toEqual([{ token: 'the.current.token' }])
  expect(JSON.stringify([address, options])).not.toContain('the.current.token')
  opened.emit('join', { chatId: 'c1' })
  opened.emit('leave', { chatId: 'c1' })
  expect(socket.emit.mock.calls).toEqual([
    ['join', { chatId: 'c1' }],
    ['leave', { chatId: 'c1' }],
  ])
})
