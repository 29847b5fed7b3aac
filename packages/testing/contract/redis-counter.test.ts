import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenRedis, givenRedis } from './cache-redis.ts'

let redis: GivenRedis
beforeEach(async () => {
  redis = await givenRedis()
})
afterEach(() => redis.close())

const limit = { points: 2_000, windowMs: 3_600_000 }
const replicas = 4
const load = 10 * limit.points
/** Concurrent calls per replica. */
const callers = 16

test('four replicas at ten times the load admit the limit', async () => {
  const engines = Array.from({ length: replicas }, () => redis.open({ scope: 'gateway' }))
  await Promise.all(engines.map((engine) => engine.health()))
  let allowed = 0
  let refused = 0
  const calls = engines.flatMap(({ counter }) =>
    Array.from({ length: callers }, async () => {
      for (let call = 0; call < load / replicas / callers; call += 1) {
        if ((await counter.consume('user', limit)).allowed) allowed += 1
        else refused += 1
      }
    }),
  )
  await Promise.all(calls)
  expect(allowed + refused).toBeGreaterThanOrEqual(load)
  expect(Math.abs(allowed - limit.points) / limit.points).toBeLessThanOrEqual(0.005)
})

test('the windows of another service cannot be read while the engine is unavailable', async () => {
  const engine = redis.open({ scope: 'billing' })
  await engine.health()
  await redis.server.kill('SIGKILL')
  await expect(engine.counterOf('llm-router').look([{ key: 'key:k1', limit }])).rejects.toThrow()
})
