import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import {
  type Commands,
  createIdentityCodec,
  createLogger,
  createServiceClient,
  kafkaOptions,
  migrateStores,
  newId,
} from '@parley/kit'
import { readBillingCommandConfig, readBillingMigrationConfig } from './config.ts'
import { billingSubscriptions } from './consumers.ts'
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
    const identity = createIdentityCodec(config.INTERNAL_SECRET)
    const client = createServiceClient({ self: 'billing', locate: () => config.AUTH_URL, identity })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'billing-command', log })
    try {
      const subscriptions = billingSubscriptions({ stores, client, log, newId })
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), client.close(), stores.close()])
    }
  },
}
