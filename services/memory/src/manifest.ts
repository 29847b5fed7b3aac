import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, storesOnMongo } from '@parley/kit'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/index.ts'),
  consumers: () => import('./consumers.ts'),
}

/** Memories of users, and suggestions of new ones. */
export const memory = defineService({
  name: 'memory',
  modules,
  // Chat calls memory for each prompt, but does not depend on it.
  calls: ['auth', 'chat', 'llm-router'],
  degradesWithout: ['chat', 'llm-router'],
  engines: {
    stores: storesOnMongo(
      async (options) => (await import('./store/mongo-stores.ts')).openMongoMemoryStores(options),
      async (options) => (await modules.stores()).openMemoryStores(options),
    ),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: {},
  async create({ engines, ...deps }) {
    const { createMemoryService } = await modules.service()
    return createMemoryService({ ...deps, ...engines })
  },
  async subscriptions(deps) {
    const { memorySubscriptions } = await modules.consumers()
    return memorySubscriptions({ ...deps, ...deps.engines, signal: deps.engines.cache.signal })
  },
})
