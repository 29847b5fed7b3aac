import { runDeadLetterCommand } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { type Commands, createLogger, kafkaOptions, systemClock } from '@parley/kit'
import { readRealtimeCommandConfig } from './config.ts'
import { realtimeSubscriptions } from './consumers.ts'

/** What an operator may do to realtime besides running it. */
export const realtimeCommands: Commands = {
  /** `list` or `replay`: the events that realtime gave up after all its tries. */
  async 'dead-letters'(args) {
    const config = readRealtimeCommandConfig()
    const log = createLogger('realtime', config.LOG_LEVEL)
    const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'realtime-command', log })
    try {
      // Nobody is connected here; what they have left is told with the next change, or when they look.
      const subscriptions = realtimeSubscriptions({ credits: { renew: () => undefined }, now: systemClock })
      for (const line of await runDeadLetterCommand({ bus, subscriptions, log }, args)) console.log(line)
    } finally {
      await bus.close()
    }
  },
}
