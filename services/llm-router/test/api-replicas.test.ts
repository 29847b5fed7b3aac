import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CacheEngine } from '@parley/cache'
import { openRedisEngine } from '@parley/cache/redis'
import { type NativeEngine, startNativeRedis } from '@parley/engines'
import { createLogger } from '@parley/kit'
import { keyPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

const hello = { model: 'gpt', messages: [{ role: 'user', content: 'Hello' }] }
const limit = 200
const log = createLogger('test', 'silent')
/** Concurrent requests per replica. */
const callers = 8

describe('four routers over one Redis', () => {
  let folder: string
  let redis: NativeEngine
  const engines: CacheEngine[] = []
  const replicas: GivenApi[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-redis-'))
    redis = await startNativeRedis({ folder })
    for (let replica = 0; replica < 4; replica += 1) {
      // A slow response would make a replica count locally, as it does while Redis is unavailable.
      const engine = openRedisEngine({ url: redis.url, scope: 'llm-router', log, budgetMs: 5_000 })
      engines.push(engine)
      await engine.health()
      replicas.push(await givenApi({ counter: engine.counter }))
    }
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.stop()
    for (const engine of engines) await engine.close()
    await redis.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** The statuses of this many requests of one key at each of these replicas. */
  async function statuses(some: readonly GivenApi[], each: number): Promise<number[]> {
    const key = keyPrincipal({ tier: 5, customLimits: { requests: limit, windowMinutes: 60 } })
    const answers = some.flatMap((replica) =>
      Array.from({ length: callers }, async () => {
        const got: number[] = []
        for (let call = 0; call < each / callers; call += 1) {
          got.push((await replica.as(key).post('/api/v1/chat/completions', hello)).status)
        }
        return got
      }),
    )
    return (await Promise.all(answers)).flat()
  }

  it('admit exactly the limit of a key at five times the load', async () => {
    const got = await statuses(replicas, (5 * limit) / 4)
    expect(got.filter((status) => status === 200)).toHaveLength(limit)
    expect(new Set(got)).toEqual(new Set([200, 429]))
  })

  it('limit independently while Redis is unavailable', async () => {
    await redis.kill('SIGKILL')
    const got = await statuses(replicas.slice(0, 1), 2 * limit)
    expect(got.filter((status) => status === 200)).toHaveLength(limit)
    expect(new Set(got)).toEqual(new Set([200, 429]))
  })
})
