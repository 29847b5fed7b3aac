import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, storesOnPostgres } from '@parley/kit'
import { providerVariables, routerConfigOf } from './config.ts'

/** The registry of models, and every call of a provider. */
export const llmRouter = defineService({
  name: 'llm-router',
  calls: ['auth'],
  engines: {
    stores: storesOnPostgres(async (options) => (await import('./store/index.ts')).openLlmRouterStores(options)),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: providerVariables,
  async create(deps) {
    const { createLlmRouterService } = await import('./service.ts')
    const { stores, bus, cache } = deps.engines
    return createLlmRouterService({ ...deps, ...cache, stores, bus, config: routerConfigOf(deps.config) })
  },
  async subscriptions(deps) {
    const { llmRouterSubscriptions } = await import('./consumers.ts')
    return llmRouterSubscriptions({ ...deps, ...deps.engines })
  },
})
