import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, storesOnPostgres } from '@parley/kit'
import { routerConfigOf, routerVariables } from './config.ts'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/index.ts'),
  consumers: () => import('./consumers.ts'),
  examine: () => import('./examine.ts'),
}

/** The registry of models, and all calls to providers. */
export const llmRouter = defineService({
  name: 'llm-router',
  modules,
  calls: ['auth', 'billing'],
  reachesOutside: true,
  engines: {
    stores: storesOnPostgres(async (options) => (await modules.stores()).openLlmRouterStores(options)),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: routerVariables,
  examine: async (config) => (await modules.examine()).examineProviders(routerConfigOf(config).providers),
  async create(deps) {
    const { createLlmRouterService } = await modules.service()
    const { stores, bus, cache } = deps.engines
    const timeouts = { firstToken: deps.config.FIRST_TOKEN_SECONDS * 1_000 }
    return createLlmRouterService({ ...deps, ...cache, stores, bus, timeouts, config: routerConfigOf(deps.config) })
  },
  async subscriptions(deps) {
    const { llmRouterSubscriptions } = await modules.consumers()
    return llmRouterSubscriptions({ ...deps, ...deps.engines })
  },
})
