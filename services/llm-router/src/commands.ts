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
import { readLlmRouterCommandConfig, readLlmRouterMigrationConfig } from './config.ts'
import { llmRouterSubscriptions } from './consumers.ts'
import { openLlmRouterStores } from './store/index.ts'

/** What an operator may do to llm-router besides running it. */
export const llmRouterCommands: Commands = {
  /** Brings the store up to date. */
  async migrate() {
    const { POSTGRES_URL: url, LOG_LEVEL } = readLlmRouterMigrationConfig()
    const log = createLogger('llm-router', LOG_LEVEL)
    await migrateStores(openLlmRouterStores({ url, log }), log)
  },
  /** `list` or `replay`: the events that llm-router gave up after all its tries. */
  async 'dead-letters'(args) {
    const config = readLlmRouterCommandConfig()
    const log = createLogger('llm-router', config.LOG_LEVEL)
    const stores = openLlmRouterStores({ url: config.POSTGRES_URL, log })
    const identity = createIdentityCodec(config.INTERNAL_SECRET)
    const client = createServiceClient({ self: 'llm-router', locate: () => config.AUTH_URL, identity })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'llm-router-command', log })
    try {
      const subscriptions = llmRouterSubscriptions({ stores, client, log })
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), client.close(), stores.close()])
    }
  },
}
