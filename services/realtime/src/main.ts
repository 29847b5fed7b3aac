import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisBroadcast } from '@parley/cache/broadcast'
import { openRedisEngine } from '@parley/cache/redis'
import {
  createServiceClient,
  createTools,
  kafkaOptions,
  parseOrigins,
  redisOptions,
  runService,
  serve,
} from '@parley/kit'
import { createAdapter } from '@socket.io/redis-adapter'
import { realtimeCommands } from './commands.ts'
import { locator, readRealtimeConfig } from './config.ts'
import { createRealtimeService } from './service.ts'

await runService(async () => {
  const config = readRealtimeConfig()
  const tools = createTools('realtime', config)
  const { log, identity } = tools
  const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'realtime', log })
  const redis = openRedisEngine({ ...redisOptions(config), scope: 'realtime', log })
  const broadcast = openRedisBroadcast(redisOptions(config), 'parley-realtime-adapter')
  const adapter = createAdapter(broadcast.publisher, broadcast.subscriber, { key: `${config.REDIS_PREFIX}:socket.io` })
  const client = createServiceClient({ self: 'realtime', locate: locator(config), identity })
  const { PUBLIC_URL: publicUrl } = config
  const extraOrigins = parseOrigins(config.EXTRA_ORIGINS)
  const service = createRealtimeService({ ...tools, publicUrl, extraOrigins, cache: redis, bus, client, adapter })
  const needs = { redis: () => redis.health(), kafka: () => bus.health() }
  await serve({ service, config, log, needs, used: [client, bus, broadcast, redis] })
}, realtimeCommands)
