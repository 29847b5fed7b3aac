import type { DeadLetter, EventBus } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import type { Event } from '@parley/contracts'
import { createLogger } from '@parley/kit'

/** A consumer of the bus with a group of its own. */
export interface Eavesdropper {
  /** Generation ids of answers whose end was published. */
  readonly finished: ReadonlySet<string>
  /** Publishes every nth end event a second time, unchanged, including events retained by the bus. */
  redeliver(everyNth: number): Promise<Redelivery>
  /** The dead letters of a group. Rejects while Kafka is unavailable. */
  deadLetters(group: string): Promise<readonly DeadLetter[]>
  close(): Promise<void>
}

/** Redelivered events. */
export interface Redelivery {
  /** Number of events published a second time. */
  readonly count: number
  stop(): Promise<void>
}

/** Consumes every `chat.generation-finished` of a system, including those from the time in which Kafka was unavailable. */
export async function eavesdrop(broker: string, topicPrefix: string): Promise<Eavesdropper> {
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
    finished,
    redeliver: (everyNth) => redeliver(bus, everyNth),
    deadLetters: (group) => bus.deadLetters(group),
    close: () => bus.close(),
  }
}

async function redeliver(bus: EventBus, everyNth: number): Promise<Redelivery> {
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
    get count() {
      return again.size
    },
    stop,
  }
}
