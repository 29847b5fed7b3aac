import { createWakeup, type Logger, pause } from '@parley/kit'
import type { EventBus, OutboxSource } from './event-bus.ts'
import { gatherMs } from './gather.ts'

const batchSize = 100
/** Between two looks when nothing says that there is something: grows while idle. */
const idleMs = { first: 250, most: 2_000 }
/** The pause after a failure; grows while failing. */
const retryMs = { first: 250, most: 5_000 }

/** Moves events from an outbox to the bus. */
export interface Relay {
  /** Checks the outbox now, since there may be new events. */
  nudge(): void
  /** Finishes the batch at hand. Idempotent. */
  stop(): Promise<void>
}

/**
 * Publishes the events in the outbox, oldest first, and deletes them only once they are published: at least once, in order per key.
 * Of several replicas one works at a time. While the bus or the store is unavailable it waits and retries.
 */
export function startRelay(deps: { source: OutboxSource; bus: Pick<EventBus, 'publish'>; log: Logger }): Relay {
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
  const run = async (): Promise<void> => {
    let idle = idleMs.first
    let failures = 0
    let mayHaveEvents = true
    while (!signal.aborted) {
      try {
        // The right to relay costs more than a look, which finds nothing for most of the time.
        if (mayHaveEvents || (await source.pending(1)).length > 0) await source.exclusively(drain)
        failures = 0
        mayHaveEvents = await wakeup.wait(idle)
        idle = mayHaveEvents ? idleMs.first : Math.min(idle * 2, idleMs.most)
      } catch (error) {
        failures += 1
        // Once per outage: the outbox keeps everything meanwhile.
        if (failures === 1) log.warn({ reason: String(error) }, 'events wait in the outbox')
        await pause(Math.min(retryMs.first * 2 ** failures, retryMs.most), signal)
      }
    }
  }
  const forgetSource = source.onWritten?.(wakeup.wake)
  const running = run()
  return {
    nudge: wakeup.wake,
    async stop() {
      stopping.abort()
      forgetSource?.()
      wakeup.wake()
      await running
    },
  }
}
