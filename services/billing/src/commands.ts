import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { type Commands, createLogger, kafkaOptions, migrateStores } from '@parley/kit'
import { readBillingCommandConfig, readBillingMigrationConfig } from './config.ts'
import { billingSubscription } from './consumers.ts'
import { openBillingStores } from './store/index.ts'

/** What an operator may do to billing besides running it. */
export const billingCommands: Commands = {
  /** Brings the store up to date. */
  async migrate() {
    const { POSTGRES_URL: url, LOG_LEVEL } = readBillingMigrationConfig()
    const log = createLogger('billing', LOG_LEVEL)
    await migrateStores(openBillingStores({ url, log }), log)
  },
  /** `list` or `replay`: the events that billing gave up after all its tries. */
  async 'dead-letters'(args) {
    const config = readBillingCommandConfig()
    const log = createLogger('billing', config.LOG_LEVEL)
    const stores = openBillingStores({ url: config.POSTGRES_URL, log })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'billing-command', log })
    try {
      const subscription = billingSubscription(stores)
      for (const line of await runDeadLetterCommand({ bus, subscription, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), stores.close()])
    }
  },
}
