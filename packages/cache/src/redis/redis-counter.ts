import { createMemoryCounter } from '../memory/memory-counter.ts'
import type { Counter, CountResult, Limit } from '../ports.ts'
import { asAway } from './redis-away.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { runScript, script } from './redis-script.ts'

/** A window starts with its first point and is forgotten by the engine's clock. Answers whether a point was taken, how many are, and when it ends. */
const take = script(`
local points, windowMs = tonumber(ARGV[1]), ARGV[2]
local taken = tonumber(redis.call('GET', KEYS[1]) or '0')
local allowed = 0
if taken < points then
  taken = redis.call('INCR', KEYS[1])
  if taken == 1 then redis.call('PEXPIRE', KEYS[1], windowMs) end
  allowed = 1
end
return {allowed, taken, redis.call('PTTL', KEYS[1])}
`)

/**
 * Windows of all replicas. While the engine is away each replica counts by itself, so that it limits in any case. (The limiter of
 * rate-limiter-flexible for this engine also counts refused calls.)
 */
export function createRedisCounter(link: RedisLink, keys: RedisKeys): Counter {
  const own = createMemoryCounter()
  return {
    async consume(key, limit) {
      try {
        return await takePoint(link, keys, key, limit)
      } catch (error) {
        if (asAway(error) === undefined) throw error
        return own.consume(key, limit)
      }
    },
  }
}

async function takePoint(link: RedisLink, keys: RedisKeys, key: string, limit: Limit): Promise<CountResult> {
  const windowMs = Math.max(1, Math.ceil(limit.windowMs))
  const values = [limit.points, windowMs]
  const reply = await link.run((redis) => runScript(redis, take, [keys.window(key, windowMs)], values))
  const [allowed, taken, endsMs] = reply as [number, number, number]
  return {
    allowed: allowed === 1,
    limit: limit.points,
    remaining: Math.max(limit.points - taken, 0),
    // Below 0 there is no window: a limit of nothing never starts one.
    resetMs: endsMs < 0 ? windowMs : endsMs,
  }
}
