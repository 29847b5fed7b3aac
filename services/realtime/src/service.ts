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
import { realtimeSubscriptions } from './consumers.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
import { createFigures } from './metrics.ts'
import { createCredits } from './people/credits.ts'
import { createPeople } from './people/people.ts'
import { createChatReader } from './rooms/chat-reader.ts'
import { createRooms } from './rooms/rooms.ts'
import { hearSignals } from './signals.ts'
import { createSocketServer, type SocketServerDeps } from './sockets/socket-server.ts'

/** All that realtime uses; whoever opened it closes it. */
export interface RealtimeServiceDeps {
  /** Origin under which people reach Parley. */
  readonly publicUrl: string
  /** Further ones. */
  readonly extraOrigins: readonly string[]
  readonly cache: Pick<CacheEngine, 'signal' | 'streamLog' | 'health'>
  readonly bus: EventBus
  /** To ask auth, chat and billing. */
  readonly client: ServiceClient
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly now: Clock
  /** Between replicas; without it this one is alone. */
  readonly adapter?: SocketServerDeps['adapter']
  /** Instead of the product's own. */
  readonly limits?: Partial<SocketLimits>
}

/** Tells open tabs and devices what happens. It keeps nothing. */
export function createRealtimeService(deps: RealtimeServiceDeps): Service {
  const { cache, bus, client, log, now } = deps
  const limits = { ...usualLimits, ...deps.limits }
  const principals = createPrincipals(client, now)
  const people = createPeople(principals)
  const { streamLog, signal } = cache
  const rooms = createRooms({ ...limits, streamLog, chats: createChatReader(client), log, now })
  const open = { connections: () => people.all().length, rooms: rooms.size }
  const figures = createFigures(deps.metrics, open)
  const verifyToken = createTokenVerifier(client)
  const { publicUrl, extraOrigins, adapter } = deps
  const sockets = createSocketServer({
    publicUrl,
    extraOrigins,
    identity: deps.identity,
    adapter,
    verifyToken,
    principals,
    people,
    rooms,
    limits,
    figures,
    log,
    now,
  })
  const credits = createCredits({ client, tell: sockets.tellCredits, log })
  let isDraining = false
  let unsubscribe: (() => Promise<void>) | undefined
  let deafen: (() => void) | undefined
  // Sockets live on without either for a while, and are told anew of what they missed.
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
      deafen = hearSignals({ signal, principals, people, credits, rooms, log, now })
    },
    drain() {
      if (!isDraining) sockets.drain()
      isDraining = true
    },
    async stop() {
      isDraining = true
      lag.stop()
      deafen?.()
      await unsubscribe?.()
      await credits.stop()
      await sockets.close()
    },
  }
}
