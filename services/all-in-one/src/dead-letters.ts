import { openPgBus, runDeadLetterCommand } from '@parley/bus'
import { runMain } from '@parley/kit'
import { openSubscriptions } from './subscriptions.ts'
import { withRuntime } from './with-runtime.ts'

/**
 * `npm run dead-letters -- list|replay [group]`: events that a service gave up after all attempts, of all groups or one, whether Parley is running or
 * not.
 */
await runMain(() =>
  withRuntime('dead-letters', async (runtime, { postgresUrl: url, log }) => {
    const bus = await openPgBus({ url, log })
    try {
      const subscriptions = await openSubscriptions(runtime)
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, process.argv.slice(2)))
        console.log(line)
    } finally {
      await bus.close()
    }
  }),
)
