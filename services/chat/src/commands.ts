import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { openRedisEngine } from '@parley/cache/redis'
import { type Commands, createLogger, kafkaOptions, migrateStores, redisOptions } from '@parley/kit'
import { readChatCommandConfig, readChatMigrationConfig } from './config.ts'
import { chatSubscription } from './consumers.ts'
import { createStopAll } from './generation/stopper.ts'
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
    const { generations, close } = openMongoChatStores({ url: config.MONGO_URL, log })
    const redis = openRedisEngine({ ...redisOptions(config), scope: 'chat', log })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'chat-command', log })
    try {
      const stopAll = createStopAll({ generations, signal: redis.signal, log })
      const subscription = chatSubscription({ stopAll })
      for (const line of await runDeadLetterCommand({ bus, subscription, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), redis.close(), close()])
    }
  },
}
