import { cacheEngine } from '@parley/cache'
import { defineService, extraOrigins, parseOrigins, serviceUrl } from '@parley/kit'

const modules = {
  service: () => import('./service.ts'),
}

/** Pushes live events to open tabs and devices. */
export const realtime = defineService({
  name: 'realtime',
  modules,
  calls: ['auth', 'chat', 'billing'],
  engines: { cache: cacheEngine },
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
      publicUrl: config.PUBLIC_URL,
      extraOrigins: parseOrigins(config.EXTRA_ORIGINS),
    })
  },
})
