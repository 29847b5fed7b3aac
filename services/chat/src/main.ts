import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisEngine } from '@parley/cache/redis'
import { createServiceClient, createTools, kafkaOptions, redisOptions, runService, serve } from '@parley/kit'
import { chatCommands } from './commands.ts'
import { locator, readChatConfig } from './config.ts'
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
  const timing = { drainMs: config.STOP_GRACE_SECONDS * 1000 }
  const service = createChatService({ ...tools, config, stores, bus, cache: redis, client, timing })
  const needs = { mongo: () => stores.ping(), kafka: () => bus.health(), redis: () => redis.health() }
  await serve({ service, config, log, needs, used: [client, bus, redis, stores] })
}, chatCommands)
