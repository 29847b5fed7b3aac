import { createServer } from 'node:http'
import { openMemoryHub } from '@parley/cache'
import {
  createIdentityCodec,
  createLiveSettings,
  createLogger,
  createMetrics,
  createServiceClient,
  type Locate,
  runMain,
  serve,
  systemClock,
} from '@parley/kit'
import { parseTrustedProxies, readGatewayConfig } from './config.ts'
import { createGatewayService } from './service.ts'

await runMain(async () => {
  const config = readGatewayConfig()
  const log = createLogger('gateway', config.LOG_LEVEL)
  const identity = createIdentityCodec(config.INTERNAL_SECRET)
  const hub = openMemoryHub({ log })
  const { counter, signal } = hub.open('gateway')
  const locate: Locate = (service) => config.urls.get(service) ?? ''
  const client = createServiceClient({ self: 'gateway', locate, identity })
  const settings = createLiveSettings(client, systemClock)
  const metrics = createMetrics('gateway', true)
  const trustedProxies = parseTrustedProxies(config.TRUSTED_PROXIES)
  const { PUBLIC_URL: publicUrl, WEB_DIR: webDir } = config
  const shared = { counter, signal, settings, client, locate, identity, metrics, log, now: systemClock }
  const service = createGatewayService({ publicUrl, trustedProxies, webDir, ...shared })
  const figures = createServer(async (_request, response) => response.end(await metrics.metrics()))
  if (config.METRICS_PORT !== undefined) figures.listen(config.METRICS_PORT, config.HOST)
  await serve(service, config, log, [figures, client, hub])
})
