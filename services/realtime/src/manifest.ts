import { eventBus } from '@parley/bus'
import { defineService, extraOrigins, parseOrigins, serviceUrl } from '@parley/kit'
import { cacheWithAdapter } from './sockets/cache-with-adapter.ts'

const modules = {
  service: () => import('./service.ts'),
  consumers: () => import('./consumers.ts'),
}

/** Pushes live events to open tabs and devices. */
export const realtime = defineService({
  name: 'realtime',
  modules,
  calls: ['auth', 'chat', 'billing'],
  engines: { cache: cacheWithAdapter, bus: eventBus },
  variables: {
    /** The public origin: pages of other origins may not connect. */
    PUBLIC_URL: serviceUrl,
    /** Further origins, separated by commas. */
    EXTRA_ORIGINS: extraOrigins,
  },
  async create({ config, engines, ...deps }) {
    const { createRealtimeService } = await modules.service()
    return createRealtimeService({
      ...deps,
      ...engines,
      ...(engines.cache.adapter && { adapter: engines.cache.adapter }),
      publicUrl: config.PUBLIC_URL,
      extraOrigins: parseOrigins(config.EXTRA_ORIGINS),
    })
  },
  async subscriptions({ now }) {
    const { realtimeSubscriptions } = await modules.consumers()
    // A command has no connections: users get their credits with the next change, or when the client reads them.
    return realtimeSubscriptions({ credits: { renew: () => undefined }, now })
  },
})
