import { openPgBus, runDeadLetterCommand } from '@parley/bus'
import { runMain } from '@parley/kit'
import { openSubscriptions } from './subscriptions.ts'
import { withRuntime } from './with-runtime.ts'

/**
 * `npm run dead-letters -- list` and `-- replay`, of every group or of the one named after it, whether Parley runs or not: events that a service could
 * not handle after all its tries.
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
