import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import {
  type Commands,
  createIdentityCodec,
  createLogger,
  createServiceClient,
  kafkaOptions,
  migrateStores,
} from '@parley/kit'
import { readNotifierCommandConfig, readNotifierMigrationConfig } from './config.ts'
import { notifierSubscriptions } from './consumers.ts'
import { openNotifierStores } from './store/index.ts'

/** What an operator may do to notifier besides running it. */
export const notifierCommands: Commands = {
  /** Brings the store up to date. */
  async migrate() {
    const { POSTGRES_URL: url, LOG_LEVEL } = readNotifierMigrationConfig()
    const log = createLogger('notifier', LOG_LEVEL)
    await migrateStores(openNotifierStores({ url, log }), log)
  },
  /** `list` or `replay`: the events that notifier gave up after all its tries. */
  async 'dead-letters'(args) {
    const config = readNotifierCommandConfig()
    const log = createLogger('notifier', config.LOG_LEVEL)
    const stores = openNotifierStores({ url: config.POSTGRES_URL, log })
    const identity = createIdentityCodec(config.INTERNAL_SECRET)
    const client = createServiceClient({ self: 'notifier', locate: () => config.AUTH_URL, identity })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'notifier-command', log })
    try {
      // The notifier that runs, or starts next, finds what was queued by itself.
      const subscriptions = notifierSubscriptions({ stores, client, log, queued: () => undefined })
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), client.close(), stores.close()])
    }
  },
}
