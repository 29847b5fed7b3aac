import { type EventBus, subscribeAll } from '@parley/bus'
import type { CacheEngine } from '@parley/cache'
import {
  type Clock,
  createHttpApp,
  createLagWatch,
  type IdentityCodec,
  type Logger,
  type Registry,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { createPrincipals, createTokenVerifier } from '@parley/kit/access-token'
import { createConnections } from './connections/connections.ts'
import { createCredits } from './connections/credits.ts'
import { realtimeSubscriptions } from './consumers.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
import { createRealtimeMetrics } from './metrics.ts'
import { createChatReader } from './rooms/chat-reader.ts'
import { createRooms } from './rooms/rooms.ts'
import { subscribeSignals } from './signals.ts'
import { createSocketServer, type SocketServerDeps } from './sockets/socket-server.ts'

export interface RealtimeServiceDeps {
  /** The public origin. */
  readonly publicUrl: string
  /** Further origins. */
  readonly extraOrigins: readonly string[]
  readonly cache: Pick<CacheEngine, 'signal' | 'streamLog' | 'health'>
  readonly bus: EventBus
  /** Calls auth, chat and billing. */
  readonly client: ServiceClient
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly now: Clock
  /** Connects replicas; without it there is one. */
  readonly adapter?: SocketServerDeps['adapter']
  /** Overrides of the production limits. */
  readonly limits?: Partial<SocketLimits>
}

/** Pushes events to open tabs and devices. Stateless. */
export function createRealtimeService(deps: RealtimeServiceDeps): Service {
  const { cache, bus, client, log, now } = deps
  const limits = { ...usualLimits, ...deps.limits }
  const principals = createPrincipals(client, now)
  const connections = createConnections(principals)
  const { streamLog, signal } = cache
  const rooms = createRooms({ ...limits, streamLog, chats: createChatReader(client), log, now })
  const open = { connections: () => connections.all().length, rooms: rooms.size }
  const metrics = createRealtimeMetrics(deps.metrics, open)
  const verifyToken = createTokenVerifier(client)
  const { publicUrl, extraOrigins, adapter } = deps
  const sockets = createSocketServer({
    publicUrl,
    extraOrigins,
    identity: deps.identity,
    adapter,
    verifyToken,
    principals,
    connections,
    rooms,
    limits,
    metrics,
    log,
    now,
  })
  const credits = createCredits({ client, emit: sockets.emitCredits, log })
  let isDraining = false
  let unsubscribe: (() => Promise<void>) | undefined
  let unsubscribeSignals: (() => void) | undefined
  // Sockets survive a short outage of either, and clients catch up afterwards.
  const lag = createLagWatch(deps)
  const optional = { bus: lag.health, cache: () => cache.health() }
  const app = createHttpApp({ ...deps, checks: {}, optional, draining: () => isDraining }, () => undefined)
  return {
    name: 'realtime',
    handler: (request, response) =>
      sockets.owns(request) ? sockets.handle(request, response) : app(request, response),
    upgrades: sockets.upgrades,
    async start() {
      const subscriptions = realtimeSubscriptions({ credits, now })
      unsubscribe = await subscribeAll(bus, subscriptions)
      lag.start(subscriptions.map(({ group }) => group))
      unsubscribeSignals = subscribeSignals({ signal, principals, connections, credits, rooms, log, now })
    },
    drain() {
      if (!isDraining) sockets.drain()
      isDraining = true
    },
    async stop() {
      isDraining = true
      lag.stop()
      unsubscribeSignals?.()
      await unsubscribe?.()
      await credits.stop()
      await sockets.close()
    },
  }
}
