import type { Socket } from 'socket.io-client'
import { apiOrigin } from '../api/index.ts'
import { getSession } from '../session/index.ts'
import { liveLimits } from './live.ts'

/**
 * A socket of the API's, which signs in with the token that is current when it connects, and comes back by itself within {@link liveLimits}
 * when the connection breaks. Its code is loaded with the first one.
 */
export async function openSocket(): Promise<Socket> {
  const [{ io }, origin] = await Promise.all([import('socket.io-client'), apiOrigin()])
  const { tries, backoff } = liveLimits
  return io(`${origin}/realtime`, {
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    forceNew: true,
    timeout: 20_000,
    reconnectionAttempts: tries,
    // Spread by half to both sides, so that the first try comes after `minMs` at the earliest.
    reconnectionDelay: 2 * backoff.minMs,
    randomizationFactor: 0.5,
    reconnectionDelayMax: backoff.maxMs,
    auth: (give) => give({ token: getSession().token }),
  })
}
