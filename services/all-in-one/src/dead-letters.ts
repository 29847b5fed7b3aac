import { authSubscription } from '@parley/auth/consumers'
import { openAuthStores } from '@parley/auth/stores'
import { billingSubscription } from '@parley/billing/consumers'
import { openBillingStores } from '@parley/billing/stores'
import { listDeadLetters, openPgBus, type Subscription } from '@parley/bus'
import { createLogger } from '@parley/kit'
import { notifierSubscription } from '@parley/notifier/consumers'
import { openNotifierStores } from '@parley/notifier/stores'
import { readAllInOneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { withPostgres } from './with-postgres.ts'

/**
 * `npm run dead-letters -- list` and `-- replay <group>`, whether Parley runs or not: events that a service could not handle after all
 * its tries. Bans are not replayed: what they would end has ended long before.
 */
const [command, group] = process.argv.slice(2)
const config = readAllInOneConfig()
const log = createLogger('dead-letters', config.LOG_LEVEL)

await withPostgres(await openDataDir(config.DATA_DIR, log), log, async (url) => {
  const auth = openAuthStores({ url, log })
  const billing = openBillingStores({ url, log })
  const notifier = openNotifierStores({ url, log })
  const bus = await openPgBus({ url, log })
  // The notifier that runs, or starts next, finds what was queued by itself.
  const subscriptions = [
    authSubscription(auth),
    billingSubscription(billing),
    notifierSubscription(notifier.deliveries, () => undefined),
  ]
  try {
    if (command === 'list' && group === undefined) await list(subscriptions)
    else if (command === 'replay') await replay(subscriptions.find((subscription) => subscription.group === group))
    else usage()
  } finally {
    await Promise.all([bus.close(), auth.close(), billing.close(), notifier.close()])
  }

  async function list(all: readonly Subscription[]): Promise<void> {
    for (const { group: name } of all) for (const line of await listDeadLetters(bus, name)) console.log(line)
  }

  async function replay(subscription: Subscription | undefined): Promise<void> {
    if (subscription === undefined) usage()
    else console.log(`${await bus.replayDeadLetters(subscription)} handled`)
  }

  function usage(): void {
    console.error(`Usage: npm run dead-letters -- list | replay <${subscriptions.map((one) => one.group).join('|')}>`)
    process.exitCode = 2
  }
})
