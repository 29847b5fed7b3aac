import { eventBus } from '@parley/bus'
import { defineService, extraOrigins, parseOrigins, serviceUrl } from '@parley/kit'
import { cacheWithAdapter } from './sockets/cache-with-adapter.ts'

const modules = {
  service: () => import('./service.ts'),
  consumers: () => import('./consumers.ts'),
}

/** Tells open tabs and devices what happens. */
export const realtime = defineService({
  name: 'realtime',
  modules,
  calls: ['auth', 'chat', 'billing'],
  engines: { cache: cacheWithAdapter, bus: eventBus },
  variables: {
    /** Origin under which people reach Parley: pages of others may not connect. */
    PUBLIC_URL: serviceUrl,
    /** Further ones, with commas between. */
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
    // Nobody is connected here; what they have left is told with the next change, or when they look.
    return realtimeSubscriptions({ credits: { renew: () => undefined }, now })
  },
})
