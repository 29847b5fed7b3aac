import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisEngine } from '@parley/cache/redis'
import { createServiceClient, createTools, kafkaOptions, redisOptions, runService, serve } from '@parley/kit'
import { createEndpointGuard, createPageFetcher, resolveBySystem } from '@parley/kit/egress'
import { chatCommands } from './commands.ts'
import { chatServiceConfigOf, locator, readChatConfig } from './config.ts'
import { createChatService } from './service.ts'
import { openMongoChatStores } from './store/mongo-stores.ts'

await runService(async () => {
  const config = readChatConfig()
  const tools = createTools('chat', config)
  const { log, identity } = tools
  const stores = openMongoChatStores({ url: config.MONGO_URL, log })
  const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'chat', log })
  const redis = openRedisEngine({ ...redisOptions(config), scope: 'chat', log })
  const client = createServiceClient({ self: 'chat', locate: locator(config), identity })
  const pages = createPageFetcher(createEndpointGuard([], resolveBySystem))
  const timing = { drainMs: config.STOP_GRACE_SECONDS * 1000 }
  const engines = { stores, bus, cache: redis, client, pages }
  const service = createChatService({ ...tools, ...engines, config: chatServiceConfigOf(config), timing })
  const needs = { mongo: () => stores.ping(), kafka: () => bus.health(), redis: () => redis.health() }
  await serve({ service, config, log, needs, used: [client, pages, bus, redis, stores] })
}, chatCommands)
