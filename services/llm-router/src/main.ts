import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisEngine } from '@parley/cache/redis'
import { createServiceClient, createTools, kafkaOptions, redisOptions, runService, serve } from '@parley/kit'
import { llmRouterCommands } from './commands.ts'
import { readLlmRouterConfig, routerConfigOf } from './config.ts'
import { createLlmRouterService } from './service.ts'
import { openLlmRouterStores } from './store/index.ts'

await runService(async () => {
  const config = readLlmRouterConfig()
  const tools = createTools('llm-router', config)
  const { log, identity } = tools
  const stores = openLlmRouterStores({ url: config.POSTGRES_URL, log })
  const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'llm-router', log })
  const redis = openRedisEngine({ ...redisOptions(config), scope: 'llm-router', log })
  const { counter, signal } = redis
  const client = createServiceClient({ self: 'llm-router', locate: () => config.AUTH_URL, identity })
  const engines = { stores, bus, counter, signal, client }
  const service = createLlmRouterService({ ...tools, ...engines, config: routerConfigOf(config) })
  const needs = { postgres: () => stores.ping(), kafka: () => bus.health(), redis: () => redis.health() }
  await serve({ service, config, log, needs, used: [client, bus, redis, stores] })
}, llmRouterCommands)
