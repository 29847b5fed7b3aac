import type { CacheEngine } from '@parley/cache'
import { createHttpApp, type Service, type ServiceClient, type Tools } from '@parley/kit'
import { createPrincipals, createTokenVerifier } from '@parley/kit/access-token'
import { createConnections } from './connections/connections.ts'
import { createCredits } from './connections/credits.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
import { createRealtimeMetrics } from './metrics.ts'
import { createChatReader } from './rooms/chat-reader.ts'
import { createRooms } from './rooms/rooms.ts'
import { subscribeSignals } from './signals.ts'
import { createSocketServer } from './sockets/socket-server.ts'

export interface RealtimeServiceDeps extends Omit<Tools, 'newId'> {
  /** The public origin. */
  readonly publicUrl: string
  /** Further origins. */
  readonly extraOrigins: readonly string[]
  readonly cache: Pick<CacheEngine, 'signal' | 'streamLog' | 'health'>
  /** Calls auth, chat and billing. */
  readonly client: ServiceClient
  /** Overrides of the production limits. */
  readonly limits?: Partial<SocketLimits>
}

/** Pushes events to open tabs and devices. Stateless. */
export function createRealtimeService(deps: RealtimeServiceDeps): Service {
  const { cache, client, log, now } = deps
  const limits = { ...usualLimits, ...deps.limits }
  const principals = createPrincipals(client, now)
  const connections = createConnections(principals)
  const { streamLog, signal } = cache
  const rooms = createRooms({ ...limits, streamLog, chats: createChatReader(client), log, now })
  const open = { connections: () => connections.all().length, rooms: rooms.size }
  const metrics = createRealtimeMetrics(deps.metrics, open)
  const verifyToken = createTokenVerifier(client)
  const sockets = createSocketServer({ ...deps, verifyToken, principals, connections, rooms, limits, metrics })
  const emit = (userId: string, remaining: number): void =>
    connections.emit(userId, 'user:update', { credits: { remaining } })
  const credits = createCredits({ client, emit, log })
  let isDraining = false
  let unsubscribeSignals: (() => void) | undefined
  // Sockets survive a short outage, and clients catch up afterwards.
  const optional = { cache: () => cache.health() }
  const app = createHttpApp({ ...deps, checks: {}, optional, draining: () => isDraining }, () => undefined)
  return {
    name: 'realtime',
    handler: (request, response) =>
      sockets.owns(request) ? sockets.handle(request, response) : app(request, response),
    upgrades: sockets.upgrades,
    async start() {
      unsubscribeSignals = subscribeSignals({ signal, principals, connections, credits, rooms, log, now })
    },
    drain() {
      if (!isDraining) sockets.drain()
      isDraining = true
    },
    async stop() {
      isDraining = true
      unsubscribeSignals?.()
      await credits.stop()
      await sockets.close()
    },
  }
}
