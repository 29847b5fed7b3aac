import { type CacheEngine, cacheEngine } from '@parley/cache'
import { type Engine, type redisConfig, redisOptions } from '@parley/kit'
import type { SocketServerDeps } from './socket-server.ts'

/** The cache and, on Redis, the adapter that connects the socket servers of all replicas; a single process needs none. */
type CacheWithAdapter = CacheEngine & { readonly adapter?: SocketServerDeps['adapter'] }

/** The cache engine of realtime's service definition. */
export const cacheWithAdapter: Engine<CacheWithAdapter, typeof redisConfig> = {
  ...cacheEngine,
  async open(variables, user) {
    const [{ openRedisBroadcast }, { createAdapter }] = await Promise.all([
      import('@parley/cache/broadcast'),
      import('@socket.io/redis-adapter'),
    ])
    const cache = await cacheEngine.open(variables, user)
    const broadcast = openRedisBroadcast(redisOptions(variables), 'parley-realtime-adapter')
    const { publisher, subscriber } = broadcast
    return {
      ...cache,
      adapter: createAdapter(publisher, subscriber, { key: `${variables.REDIS_PREFIX}:socket.io` }),
      async close() {
        broadcast.close()
        await cache.close()
      },
    }
  },
}
