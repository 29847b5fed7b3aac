import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { type Commands, createLogger, kafkaOptions, migrateStores, usageError } from '@parley/kit'
import { readAuthCommandConfig, readAuthMigrationConfig, readKeyCommandConfig } from './config.ts'
import { authSubscriptions } from './consumers.ts'
import { presentRotation, resetPassword, rotateKeys } from './recovery.ts'
import { openAuthStores } from './store/index.ts'

/** What an operator may do to auth besides running it. */
export const authCommands: Commands = {
  /** Brings the store up to date. */
  async migrate() {
    const { POSTGRES_URL: url, LOG_LEVEL } = readAuthMigrationConfig()
    const log = createLogger('auth', LOG_LEVEL)
    await migrateStores(openAuthStores({ url, log }), log)
  },
  /** `list` or `replay`: the events that auth gave up after all its tries. */
  async 'dead-letters'(args) {
    const config = readAuthCommandConfig()
    const log = createLogger('auth', config.LOG_LEVEL)
    const stores = openAuthStores({ url: config.POSTGRES_URL, log })
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'auth-command', log })
    try {
      const subscriptions = authSubscriptions(stores)
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, args)) console.log(line)
    } finally {
      await Promise.all([bus.close(), stores.close()])
    }
  },
  /** `<username>`: gives a user a new password, which is printed, and ends every session of theirs. */
  async 'reset-password'([username, ...rest]) {
    if (username === undefined || rest.length > 0) throw usageError('Usage: reset-password <username>')
    const { POSTGRES_URL: url, LOG_LEVEL } = readAuthMigrationConfig()
    const stores = openAuthStores({ url, log: createLogger('auth', LOG_LEVEL) })
    try {
      const password = await resetPassword(stores, username)
      if (password === undefined) throw usageError(`There is no user ${username}`)
      console.log(`New password of ${username}: ${password} (shown this once; all sessions are ended)`)
    } finally {
      await stores.close()
    }
  },
  /** Has another key sign access tokens, a minute from now; nobody is signed out. */
  async 'rotate-keys'(args) {
    if (args.length > 0) throw usageError('Usage: rotate-keys')
    const { POSTGRES_URL: url, LOG_LEVEL, INTERNAL_SECRET } = readKeyCommandConfig()
    const stores = openAuthStores({ url, log: createLogger('auth', LOG_LEVEL) })
    try {
      console.log(presentRotation(await rotateKeys(stores, INTERNAL_SECRET)))
    } finally {
      await stores.close()
    }
  },
}
