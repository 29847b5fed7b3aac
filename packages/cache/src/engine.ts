import { type EmbeddedEngines, type Engine, redisConfig, redisOptions } from '@parley/kit'
import type { MemoryHub } from './memory/memory-hub.ts'
import type { CacheEngine } from './ports.ts'

/** Cache, counters, signals and stream logs for the definition of a service: Redis in a cluster, memory in one process. */
export const cacheEngine: Engine<CacheEngine, typeof redisConfig> = {
  kind: 'redis',
  variables: redisConfig,
  async open(variables, { service, log }) {
    // Loaded where it is used: one process has no need of it.
    const { openRedisEngine } = await import('./redis/redis-engine.ts')
    return openRedisEngine({ ...redisOptions(variables), scope: service, log })
  },
  openEmbedded: async ({ hub }: EmbeddedEngines<MemoryHub>, { service }) => hub.open(service),
  health: (cache) => cache.health(),
}
