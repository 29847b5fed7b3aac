import { topicOf } from '@parley/contracts'
import { onceOnly } from '@parley/kit'
import { defaultRetryDelaysMs, deliver } from '../deliver.ts'
import type { EventBus, Subscription } from '../event-bus.ts'
import type { HandleRecord } from './batch.ts'
import { createKafka, type KafkaConnection } from './connection.ts'
import { startConsumer } from './consumer.ts'
import { createLetterStore } from './dead-letters.ts'
import { readLag } from './lag.ts'
import { createNames } from './names.ts'
import { createPublisher } from './publisher.ts'
import { createReconnectingClient } from './reconnecting-client.ts'
import { readRecord, recordOf } from './record.ts'
import { createTopics, eventTopicPlan, letterTopicPlan } from './topics.ts'

export type { BrokerAddress } from './connection.ts'
export { calmRequestQueues } from './request-queue.ts'

const requestTimeoutMs = 4_000
const healthMs = 5_000
const prepareMs = 8_000

/** The brokers, the prefix of names on them, and the retry policy of handlers. */
export interface KafkaBusOptions extends KafkaConnection {
  /** Keeps systems on the same brokers apart: topics and groups are called `<prefix>.<name>`; `parley` by default. */
  readonly topicPrefix?: string
  /** Partitions of topics that are created here; 6 by default. They must not change for a topic in use: its keys would lose their order. */
  readonly partitions?: number
  /** Copies of each partition of topics that are made here; 1 by default. */
  readonly replication?: number
  /** Pauses between the tries of a handler; their number plus one is the number of tries. */
  readonly retryDelaysMs?: readonly number[]
  /** Milliseconds until a replica that died has lost its share of a group; 6,000 by default. Brokers refuse less than their `group.min.session.timeout.ms`. */
  readonly sessionMs?: number
}

/**
 * The event bus on Kafka. Resolves without a connection: brokers may come later, and go; until they are there `publish` and `health`
 * reject within 8 s, and subscriptions wait.
 */
export async function openKafkaBus(options: KafkaBusOptions): Promise<EventBus> {
  const { log, topicPrefix = 'parley', retryDelaysMs = defaultRetryDelaysMs } = options
  const shape = { partitions: options.partitions ?? 6, replication: options.replication ?? 1 }
  const names = createNames(topicPrefix)
  const admin = createReconnectingClient(() => createKafka(options, requestTimeoutMs).admin())
  const topics = createTopics(admin)
  const publisher = createPublisher((config) => createKafka(options, requestTimeoutMs).producer(config), topics)
  const eventPlan = (service: string) => eventTopicPlan(names.eventTopic(service), shape)
  const letterPlan = (group: string) => letterTopicPlan(names.letterTopic(group), shape)
  const letters = createLetterStore({ connection: options, names, admin, publisher, planOf: letterPlan })
  const handlerOf =
    ({ group, handlers }: Subscription): HandleRecord =>
    async (message, place, stopping) => {
      const { event, fault } = readRecord(message, handlers, place)
      const delivery =
        fault === undefined
          ? await deliver(event, handlers, retryDelaysMs, stopping)
          : ({ kind: 'failed', error: fault } as const)
      if (delivery.kind === 'failed') {
        await letters.keep({ group, place, event: event as never, error: delivery.error, at: new Date() })
        log.error({ group, place, error: delivery.error }, 'an event was dead-lettered')
      }
      return delivery.kind !== 'stopped'
    }
  const stops = new Set<() => Promise<void>>()
  let isClosed = false
  return {
    async publish(events) {
      await publisher.send(events.map((event) => recordOf(event, eventPlan)))
    },
    async subscribe(subscription) {
      if (isClosed) throw new Error('the bus is closed')
      const { group, handlers, keysAtOnce } = subscription
      const plans = [...new Set(Object.keys(handlers).map(topicOf))].map(eventPlan)
      const end = startConsumer({
        connection: options,
        groupId: names.groupId(group),
        topics: plans.map(({ topic }) => topic),
        prepare: () => topics.ensure([...plans, letterPlan(group)], prepareMs),
        handle: handlerOf(subscription),
        keysAtOnce,
        sessionMs: options.sessionMs,
      })
      const stop = async (): Promise<void> => {
        await end()
        stops.delete(stop)
      }
      stops.add(stop)
      return stop
    },
    deadLetters: letters.list,
    countDeadLetters: async (groups) =>
      (await Promise.all(groups.map(letters.count))).filter((count) => count !== undefined),
    replayDeadLetters: letters.replay,
    dropDeadLetters: letters.drop,
    // Single records cannot be removed from a topic.
    forget: async () => true,
    health: () => topics.health(healthMs),
    lag: (groups) => admin.use((client) => readLag(client, names, groups), healthMs),
    close: onceOnly(async () => {
      isClosed = true
      await Promise.all([...stops].map((stop) => stop()))
      await publisher.close()
      await admin.close()
    }),
  }
}
