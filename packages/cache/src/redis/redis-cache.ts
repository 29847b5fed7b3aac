import type { Cache } from '../ports.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { asUnavailable } from './redis-unavailable.ts'

/** Values with the engine's own expiry. While it is unavailable all is a miss and nothing is kept; a value that could not be deleted expires. */
export function createRedisCache(link: RedisLink, keys: RedisKeys): Cache {
  return {
    get: async (key) => (await orUndefined(link.run((redis) => redis.get(keys.cached(key))))) ?? undefined,
    async set(key, value, ttlMs) {
      const wholeMs = Math.max(1, Math.ceil(ttlMs))
      await orUndefined(link.run((redis) => redis.set(keys.cached(key), value, 'PX', wholeMs)))
    },
    async delete(key) {
      await orUndefined(link.run((redis) => redis.del(keys.cached(key))))
    },
  }
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    // The link has logged the outage. A copy is not worth more.
    if (asUnavailable(error) === undefined) throw error
    return undefined
  }
}
