import { type CacheEngine, cacheEngine } from '@parley/cache'
import { type Engine, type redisConfig, redisOptions } from '@parley/kit'
import type { SocketServerDeps } from './socket-server.ts'

/** The cache, and with Redis what the replicas' socket servers speak to each other through; one process is alone without it. */
type CacheWithAdapter = CacheEngine & { readonly adapter?: SocketServerDeps['adapter'] }

/** The cache of realtime for its definition. */
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
