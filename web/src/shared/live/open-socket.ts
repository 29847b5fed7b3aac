import type { Socket } from 'socket.io-client'
import { apiOrigin } from '../api/index.ts'
import { getSession } from '../session/index.ts'
import { liveLimits } from './connection.ts'

/**
 * A socket to the API that signs in with the current token on each connect, and reconnects within {@link liveLimits} when the connection
 * breaks. Its code is loaded with the first socket.
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
    // Jitter is ±50 %, so that the first attempt happens after `minMs` at the earliest.
    reconnectionDelay: 2 * backoff.minMs,
    randomizationFactor: 0.5,
    reconnectionDelayMax: backoff.maxMs,
    auth: (give) => give({ token: getSession().token }),
  })
}
