import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisEngine } from '@parley/cache/redis'
import { createServiceClient, createTools, kafkaOptions, redisOptions, runService, serve } from '@parley/kit'
import { authCommands } from './commands.ts'
import { readAuthConfig } from './config.ts'
import { createAuthService } from './service.ts'
import { openAuthStores } from './store/index.ts'

await runService(async () => {
  const config = readAuthConfig()
  const tools = createTools('auth', config)
  const { log, identity } = tools
  const stores = openAuthStores({ url: config.POSTGRES_URL, log })
  const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'auth', log })
  const redis = openRedisEngine({ ...redisOptions(config), scope: 'auth', log })
  const client = createServiceClient({ self: 'auth', locate: () => config.BILLING_URL, identity })
  const service = createAuthService({ ...tools, config, stores, bus, signal: redis.signal, client })
  const needs = { postgres: () => stores.ping(), kafka: () => bus.health(), redis: () => redis.health() }
  const started = (): void => {
    const admin = service.firstAdmin()
    if (admin?.password === undefined) return
    process.stdout.write(`First admin: ${admin.username}, password ${admin.password}\n`)
  }
  await serve({ service, config, log, needs, used: [client, bus, redis, stores], started })
}, authCommands)
