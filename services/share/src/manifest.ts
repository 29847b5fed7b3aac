import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, type EngineUser, mongoUrl, storesOnPostgres } from '@parley/kit'

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
    stores: {
      ...storesOnPostgres(async (options) => (await modules.stores()).openShareStores(options)),
      kind: 'mongo',
      variables: { MONGO_URL: mongoUrl },
      async open({ MONGO_URL: url }: { readonly MONGO_URL: string }, { log }: EngineUser) {
        const { openMongoShareStores } = await import('./store/mongo-stores.ts')
        return openMongoShareStores({ url, log })
      },
    },
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
