import { type BusEngine, kafkaConfig, kafkaOptions } from '@parley/kit'
import { runDeadLetterCommand } from './dead-letter-command.ts'
import type { EventBus } from './event-bus.ts'
import { openPgBus } from './postgres/pg-bus.ts'

/** The event bus for the definition of a service: Kafka in a cluster, PostgreSQL in one process. */
export const eventBus: BusEngine<EventBus, typeof kafkaConfig> = {
  kind: 'kafka',
  variables: kafkaConfig,
  async open(variables, { service, log }) {
    // Loaded where it is used: one process has no need of it.
    const { openKafkaBus } = await import('./kafka/kafka-bus.ts')
    return await openKafkaBus({ ...kafkaOptions(variables), clientId: service, log })
  },
  openEmbedded: ({ postgresUrl: url }, { log }) => openPgBus({ url, log }),
  isSharedEmbedded: true,
  health: (bus) => bus.health(),
  deadLetters: (bus, work, args) => runDeadLetterCommand({ bus, ...work }, args),
}
