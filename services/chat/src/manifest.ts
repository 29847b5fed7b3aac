import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, storesOnMongo } from '@parley/kit'
import { chatServiceConfigOf, chatVariables } from './config.ts'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/postgres/open-stores.ts'),
  consumers: () => import('./consumers.ts'),
  egress: () => import('@parley/kit/egress'),
}

/** Chats, messages and the making of answers. */
export const chat = defineService({
  name: 'chat',
  modules,
  calls: ['auth', 'llm-router', 'billing', 'memory'],
  degradesWithout: ['memory'],
  reachesOutside: true,
  engines: {
    stores: storesOnMongo(
      async (options) => (await import('./store/mongo/open-stores.ts')).openMongoChatStores(options),
      async (options) => (await modules.stores()).openPgChatStores(options),
    ),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: chatVariables,
  async create({ config, engines, drainMs, ...deps }) {
    const { createChatService } = await modules.service()
    const { createEndpointGuard, createPageFetcher, resolveBySystem } = await modules.egress()
    const pages = createPageFetcher(createEndpointGuard([], resolveBySystem))
    // llm-router times out first, and says why.
    const firstFrameMs = config.FIRST_TOKEN_SECONDS * 1_000 + 10_000
    const timing = { firstFrameMs, ...(drainMs !== undefined && { drainMs }) }
    const service = createChatService({ ...deps, ...engines, config: chatServiceConfigOf(config), pages, timing })
    return {
      ...service,
      async stop() {
        await service.stop()
        await pages.close()
      },
    }
  },
  async subscriptions(deps) {
    const { chatSubscriptions } = await modules.consumers()
    return chatSubscriptions({
      ...deps,
      ...deps.engines,
      signal: deps.engines.cache.signal,
      stopping: new AbortController().signal,
    })
  },
})
