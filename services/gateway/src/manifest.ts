import { createServer } from 'node:http'
import { cacheEngine } from '@parley/cache'
import { serviceNames } from '@parley/contracts'
import { createLiveSettings, defineService, parseOrigins } from '@parley/kit'
import { gatewayVariables, parseTrustedProxies } from './config.ts'

const modules = {
  service: () => import('./service.ts'),
}

/** The edge of the services: says who calls, and relays. */
export const gateway = defineService({
  name: 'gateway',
  modules,
  calls: serviceNames.filter((name) => name !== 'gateway'),
  // Mails are sent without it. Sockets would hold its end up until realtime ends them.
  degradesWithout: ['notifier', 'realtime'],
  engines: { cache: cacheEngine },
  variables: gatewayVariables,
  async create({ config, engines: { cache }, ...deps }) {
    const { createGatewayService } = await modules.service()
    const { METRICS_PORT, HOST } = config
    const figures = createServer(async (_request, response) => response.end(await deps.metrics.metrics()))
    if (METRICS_PORT !== undefined) figures.listen(METRICS_PORT, HOST)
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
        figures.close()
      },
    }
  },
})
