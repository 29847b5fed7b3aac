import { cacheEngine } from '@parley/cache'
import { serviceNames } from '@parley/contracts'
import { createLiveSettings, defineService, parseOrigins, serveMetrics } from '@parley/kit'
import { gatewayVariables, parseTrustedProxies } from './config.ts'

const modules = {
  service: () => import('./service.ts'),
  examine: () => import('./examine.ts'),
}

/** The edge of the services: identifies callers, and relays their requests. */
export const gateway = defineService({
  name: 'gateway',
  modules,
  isEntrance: true,
  calls: serviceNames.filter((name) => name !== 'gateway'),
  // Mails are sent without the gateway. Waiting for realtime would delay shutdown until realtime closes the sockets.
  degradesWithout: ['notifier', 'realtime', 'memory', 'share'],
  engines: { cache: cacheEngine },
  variables: gatewayVariables,
  examine: async ({ PUBLIC_URL }) => (await modules.examine()).examineAddress(PUBLIC_URL),
  async create({ config, engines: { cache }, ...deps }) {
    const { createGatewayService } = await modules.service()
    const { METRICS_PORT: port, HOST: host } = config
    const metricsServer =
      port === undefined ? undefined : await serveMetrics(() => deps.metrics.metrics(), { host, port })
    const service = createGatewayService({
      ...deps,
      ...cache,
      publicUrl: config.PUBLIC_URL,
      extraOrigins: parseOrigins(config.EXTRA_ORIGINS),
      trustedProxies: parseTrustedProxies(config.TRUSTED_PROXIES),
      webDir: config.WEB_DIR,
      settings: createLiveSettings(deps.client, deps.now),
    })
    return {
      ...service,
      async stop() {
        await service.stop()
        await metricsServer?.close(0)
      },
    }
  },
})
