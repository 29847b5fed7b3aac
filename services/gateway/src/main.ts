import { createServer } from 'node:http'
import { openRedisEngine } from '@parley/cache/redis'
import {
  createLiveSettings,
  createServiceClient,
  createTools,
  type Locate,
  parseOrigins,
  redisOptions,
  runService,
  serve,
} from '@parley/kit'
import { parseTrustedProxies, readGatewayConfig } from './config.ts'
import { createGatewayService } from './service.ts'

await runService(async () => {
  const config = readGatewayConfig()
  const tools = createTools('gateway', config)
  const { log, identity, metrics, now } = tools
  const redis = openRedisEngine({ ...redisOptions(config), scope: 'gateway', log })
  const locate: Locate = (service) => config.urls.get(service) ?? ''
  const client = createServiceClient({ self: 'gateway', locate, identity })
  const { counter, signal } = redis
  const trustedProxies = parseTrustedProxies(config.TRUSTED_PROXIES)
  const extraOrigins = parseOrigins(config.EXTRA_ORIGINS)
  const { PUBLIC_URL: publicUrl, WEB_DIR: webDir } = config
  const engines = { counter, signal, settings: createLiveSettings(client, now), client, locate }
  const service = createGatewayService({ ...tools, ...engines, publicUrl, extraOrigins, trustedProxies, webDir })
  const figures = createServer(async (_request, response) => response.end(await metrics.metrics()))
  if (config.METRICS_PORT !== undefined) figures.listen(config.METRICS_PORT, config.HOST)
  const needs = { redis: () => redis.health() }
  await serve({ service, config, log, needs, used: [figures, client, redis] })
})
