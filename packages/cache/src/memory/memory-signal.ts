import { signalSchemas } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Signal } from '../ports.ts'
import { createReceivers, type Receivers } from '../receivers.ts'

/** The wire between the engines of one process: delivers after the publisher has gone on, in the order of publication, as a real engine would. */
export function createSignalHub(log: Logger) {
  const engines = new Set<Receivers>()
  return {
    open(): { readonly signal: Signal; unsubscribeAll(): void } {
      const own = createReceivers(log)
      engines.add(own)
      return {
        signal: {
          async publish(name, payload) {
            const parsed = signalSchemas[name].parse(payload)
            setImmediate(() => {
              for (const receivers of engines) receivers.deliver(name, parsed)
            })
          },
          subscribe: own.add,
          // A process is never cut off from its own memory.
          onMissed: () => () => undefined,
          onHintsMissed: () => () => undefined,
        },
        unsubscribeAll() {
          own.clear()
          engines.delete(own)
        },
      }
    },
    /** Nobody receives any more signals. */
    end(): void {
      for (const receivers of engines) receivers.clear()
    },
  }
}
