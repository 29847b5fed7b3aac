import { createMemoryCounter } from '../memory/memory-counter.ts'
import type { Counter, CounterView, Limit, Take, TakeResult } from '../ports.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { runScript, script } from './redis-script.ts'
import { asUnavailable } from './redis-unavailable.ts'

/**
 * Takes points of all windows or of none. A window starts with its first point and is forgotten by the engine's clock. Answers whether they were
 * taken, then for each window whether it had enough, how many are taken, and when it ends.
 */
const take = script(`
local taken, ends, enough, allowed = {}, {}, {}, 1
for i = 1, #KEYS do
  local points, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i])
  ends[i] = redis.call('PTTL', KEYS[i])
  taken[i] = 0
  -- A window that ends in this millisecond (0) still has its key; without one (-2), or without an end (-1), there is no window.
  if ends[i] > 0 then taken[i] = tonumber(redis.call('GET', KEYS[i]) or '0') end
  enough[i] = 1
  if cost > 0 and taken[i] + cost > points then enough[i], allowed = 0, 0 end
end
local reply = {allowed}
for i = 1, #KEYS do
  local windowMs, cost = ARGV[3 * i - 1], tonumber(ARGV[3 * i])
  if allowed == 1 and cost > 0 then
    taken[i] = taken[i] + cost
    if ends[i] > 0 then
      redis.call('SET', KEYS[i], taken[i], 'KEEPTTL')
    else
      redis.call('SET', KEYS[i], taken[i], 'PX', windowMs)
      ends[i] = tonumber(windowMs)
    end
  end
  for _, value in ipairs({enough[i], taken[i], ends[i]}) do reply[#reply + 1] = value end
end
return reply
`)

const adjust = script(`
local taken = redis.call('GET', KEYS[1])
if taken then redis.call('SET', KEYS[1], math.max(0, tonumber(taken) + tonumber(ARGV[1])), 'KEEPTTL') end
`)

/**
 * Windows of all replicas. While the engine is unavailable each replica counts by itself, so that it limits in any case. (The limiter of
 * rate-limiter-flexible for this engine also counts refused calls.)
 */
export function createRedisCounter(link: RedisLink, keys: RedisKeys): Counter {
  const own = createMemoryCounter()
  const orOwn = async <T>(shared: () => Promise<T>, alone: () => Promise<T>): Promise<T> => {
    try {
      return await shared()
    } catch (error) {
      if (asUnavailable(error) === undefined) throw error
      return alone()
    }
  }
  const consumeAll = (takes: readonly Take[]): Promise<TakeResult> =>
    orOwn(
      () => takePoints(link, keys, takes),
      () => own.consumeAll(takes),
    )
  return {
    async consume(key, limit) {
      const { results } = await consumeAll([{ key, limit, cost: 1 }])
      return results[0] as (typeof results)[number]
    },
    consumeAll,
    async adjust(key, limit, points) {
      const name = keys.window(key, wholeMs(limit))
      await orOwn(
        () => link.run((redis) => runScript(redis, adjust, [name], [points])),
        () => own.adjust(key, limit, points),
      )
    },
  }
}

/** Windows of another service. @param keys of that service */
export const createRedisCounterView = (link: RedisLink, keys: RedisKeys): CounterView => ({
  async look(windows) {
    const takes = windows.map((window) => ({ ...window, cost: 0 }))
    return takes.length === 0 ? [] : (await takePoints(link, keys, takes)).results
  },
})

const wholeMs = ({ windowMs }: Limit): number => Math.max(1, Math.ceil(windowMs))

async function takePoints(link: RedisLink, keys: RedisKeys, takes: readonly Take[]): Promise<TakeResult> {
  const names = takes.map(({ key, limit }) => keys.window(key, wholeMs(limit)))
  const values = takes.flatMap(({ limit, cost }) => [limit.points, wholeMs(limit), cost])
  const reply = (await link.run((redis) => runScript(redis, take, names, values))) as number[]
  const results = takes.map(({ limit }, nth) => {
    const [enough, taken = 0, endsMs = 0] = reply.slice(1 + 3 * nth, 4 + 3 * nth)
    return {
      allowed: enough === 1,
      limit: limit.points,
      remaining: Math.max(limit.points - taken, 0),
      // Otherwise there is no window: a limit of nothing never starts one.
      resetMs: endsMs > 0 ? endsMs : wholeMs(limit),
    }
  })
  return { allowed: reply[0] === 1, results }
}
