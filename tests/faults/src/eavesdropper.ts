import type { DeadLetter, EventBus } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import { createLogger } from '@parley/kit'

/** A consumer of its own group beside the services'. */
export interface Eavesdropper {
  /** Answers whose end was published, by generation id. */
  readonly finished: ReadonlySet<string>
  /** What a group gave up. Rejects while Kafka is away. */
  deadLetters(group: string): Promise<readonly DeadLetter[]>
  close(): Promise<void>
}

/** Hears every `chat.generation-finished` of a system, also those of the time in which Kafka was away. */
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
  return { finished, deadLetters: (group) => bus.deadLetters(group), close: () => bus.close() }
}
