import type { DeadLetter, EventBus } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import type { Event } from '@parley/contracts'
import { createLogger } from '@parley/kit'

/**
 * A consumer of the bus with a group of its own. Consumes every `chat.generation-finished` of a system, including those from the time in which Kafka was
 * unavailable.
 */
export async function eavesdrop(broker: string, topicPrefix: string) {
  const log = createLogger('faults', 'silent')
  const bus: EventBus = await openKafkaBus({ brokers: [broker], topicPrefix, clientId: 'faults', log })
  const finished = new Set<string>()
  await bus.subscribe({
    group: 'faults.eavesdropper',
    handlers: {
      'chat.generation-finished': async ({ data }) => {
        finished.add(data.generationId)
      },
    },
  })
  return {
    /** Generation ids of answers whose end was published. */
    finished,
    /** Publishes every nth end event a second time, unchanged, including events retained by the bus. */
    redeliver: (everyNth: number) => redeliver(bus, everyNth),
    /** The dead letters of a group. Rejects while Kafka is unavailable. */
    deadLetters: (group: string): Promise<readonly DeadLetter[]> => bus.deadLetters(group),
    close: (): Promise<void> => bus.close(),
  }
}

async function redeliver(bus: EventBus, everyNth: number) {
  const again = new Set<string>()
  let heard = 0
  const repeat = async (event: Event): Promise<void> => {
    if (again.has(event.id)) return
    heard += 1
    if (heard % everyNth !== 0) return
    await bus.publish([event])
    again.add(event.id)
  }
  const handlers = { 'chat.generation-finished': repeat, 'llm-router.request-finished': repeat }
  const stop = await bus.subscribe({ group: 'faults.redelivery', handlers })
  return {
    /** Number of events published a second time. */
    get count() {
      return again.size
    },
    stop,
  }
}
