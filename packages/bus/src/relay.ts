import { createWakeup, type Logger, pause } from '@parley/kit'
import type { EventBus, OutboxSource } from './event-bus.ts'
import { gatherMs } from './gather.ts'
import { keepGoing } from './keep-going.ts'

const batchSize = 100
/** Between two looks when nothing says that there is something: grows while idle. */
const idleMs = { first: 250, most: 2_000 }

export type Relay = ReturnType<typeof startRelay>

/**
 * Publishes the events in the outbox, oldest first, and deletes them only once they are published: at least once, in order per key.
 * Of several replicas one works at a time. While the bus or the store is unavailable it waits and retries.
 */
export function startRelay(deps: { source: OutboxSource; bus: Pick<EventBus, 'publish'>; log: Logger }) {
  const { source, log } = deps
  const wakeup = createWakeup()
  const stopping = new AbortController()
  const { signal } = stopping
  const drain = async (): Promise<void> => {
    while (!signal.aborted) {
      const events = await source.pending(batchSize)
      if (events.length === 0) return
      await deps.bus.publish(events)
      await source.published(events.map(({ id }) => id))
      // A full batch is followed by the next at once: something has gathered already.
      if (events.length < batchSize) await pause(gatherMs(events.length), signal)
    }
  }
  let idle = idleMs.first
  let mayHaveEvents = true
  const relay = async (succeeded: () => void): Promise<void> => {
    // The right to relay costs more than a look, which finds nothing for most of the time.
    if (mayHaveEvents || (await source.pending(1)).length > 0) await source.exclusively(drain)
    succeeded()
    mayHaveEvents = await wakeup.wait(idle)
    idle = mayHaveEvents ? idleMs.first : Math.min(idle * 2, idleMs.most)
  }
  const forgetSource = source.onWritten?.(wakeup.wake)
  // The outbox keeps everything meanwhile.
  const running = keepGoing(signal, relay, (reason) => log.warn({ reason }, 'events wait in the outbox'))
  return {
    /** Checks the outbox now, since there may be new events. */
    nudge: wakeup.wake,
    /** Finishes the batch at hand. Idempotent. */
    async stop(): Promise<void> {
      stopping.abort()
      forgetSource?.()
      wakeup.wake()
      await running
    },
  }
}
