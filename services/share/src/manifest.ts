import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, storesOnMongo } from '@parley/kit'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/index.ts'),
  consumers: () => import('./consumers.ts'),
}

/** Public links to chats. */
export const share = defineService({
  name: 'share',
  modules,
  calls: ['auth', 'chat'],
  engines: {
    stores: storesOnMongo(
      async (options) => (await import('./store/mongo-stores.ts')).openMongoShareStores(options),
      async (options) => (await modules.stores()).openShareStores(options),
    ),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: {},
  async create({ engines, ...deps }) {
    const { createShareService } = await modules.service()
    return createShareService({ ...deps, ...engines })
  },
  async subscriptions(deps) {
    const { shareSubscriptions } = await modules.consumers()
    return shareSubscriptions({ ...deps, ...deps.engines })
  },
})
