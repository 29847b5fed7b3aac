import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisEngine } from '@parley/cache/redis'
import {
  type Commands,
  createIdentityCodec,
  createLogger,
  createServiceClient,
  kafkaOptions,
  migrateStores,
  newId,
  redisOptions,
  systemClock,
} from '@parley/kit'
import { readChatCommandConfig, readChatMigrationConfig } from './config.ts'
import { chatSubscriptions } from './consumers.ts'
import { openMongoChatStores } from './store/mongo-stores.ts'

/** What an operator may do to chat besides running it. */
export const chatCommands: Commands = {
  /** Brings the store up to date. */
  async migrate() {
    const { MONGO_URL: url, LOG_LEVEL } = readChatMigrationConfig()
    const log = createLogger('chat', LOG_LEVEL)
    await migrateStores(openMongoChatStores({ url, log }), log)
  },
  /** `list` or `replay`: the events that chat gave up after all its tries. */
  async 'dead-letters'(args) {
    const config = readChatCommandConfig()
    const log = createLogger('chat', config.LOG_LEVEL)
    const stores = openMongoChatStores({ url: config.MONGO_URL, log })
    const identity = createIdentityCodec(config.INTERNAL_SECRET)
    const client = createServiceClient({ self: 'chat', locate: () => config.AUTH_URL, identity })
    const tools = { client, log, newId, now: systemClock, stopping: new AbortController().signal }
    const redis = openRedisEngine({ ...redisOptions(config), scope: 'chat', log })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'chat-command', log })
    try {
      const subscriptions = chatSubscriptions({ ...tools, stores, signal: redis.signal })
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), redis.close(), client.close(), stores.close()])
    }
  },
}
