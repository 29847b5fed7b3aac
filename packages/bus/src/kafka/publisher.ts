import {
  type ITopicConfig,
  type Message,
  Partitioners,
  type Producer,
  type ProducerConfig,
  type TopicMessages,
} from 'kafkajs'
import { retry } from './connection.ts'
import { createReconnectingClient } from './reconnecting-client.ts'
import type { Topics } from './topics.ts'

/** Until `send` gives up, its wait for earlier ones included. */
const deadlineMs = 8_000
const requestTimeoutMs = 4_000
/** A partition's part of one request must stay below what brokers accept, by default 1 MiB. */
const most = { bytes: 512 * 1024, records: 1_000 }

/** A record on its way to a topic. */
export interface Outgoing {
  readonly plan: ITopicConfig
  readonly record: Message & { readonly value: string }
}

/** Creates a producer of the library that is not connected. */
export type NewProducer = (config: ProducerConfig) => Pick<Producer, 'connect' | 'disconnect' | 'sendBatch'>

export type Publisher = ReturnType<typeof createPublisher>

/**
 * Appends records to topics, one request at a time: the library rolls its sequence numbers back when a request fails, and another request would then
 * be taken for a repetition of the first and be dropped. For the same reason a producer is discarded after a failure.
 */
export function createPublisher(newProducer: NewProducer, topics: Pick<Topics, 'ensure' | 'forget'>) {
  const kept = createReconnectingClient(() => createProducer(newProducer))
  let last: Promise<unknown> = Promise.resolve()
  const sendRequest = async (records: readonly Outgoing[], deadline: number): Promise<void> => {
    // The sends before it used up its time.
    if (leftUntil(deadline) <= 0) throw new Error('Kafka does not keep up')
    try {
      await topics.ensure(
        records.map(({ plan }) => plan),
        leftUntil(deadline),
      )
      await kept.use((producer) => producer.sendAll(byTopic(records)), leftUntil(deadline))
    } catch (error) {
      // An operator may have removed a topic.
      topics.forget()
      throw error
    }
  }
  const queued = (records: readonly Outgoing[], deadline: number): Promise<void> => {
    const sending = last.then(() => sendRequest(records, deadline))
    last = sending.catch(() => undefined)
    return sending
  }
  return {
    /**
     * Appends in the given order, in as many requests as it takes. Resolves once all in-sync copies of the partitions have them.
     * @throws when the brokers do not answer in time; some records may then have been appended
     */
    async send(records: readonly Outgoing[]): Promise<void> {
      const deadline = performance.now() + deadlineMs
      for (const request of requestsOf(records)) await queued(request, deadline)
    },
    /** Finishes what is being sent. */
    async close(): Promise<void> {
      await last
      await kept.close()
    },
  }
}

const leftUntil = (deadline: number): number => Math.round(deadline - performance.now())

function requestsOf(records: readonly Outgoing[]): Outgoing[][] {
  const requests: Outgoing[][] = []
  let bytes = 0
  for (const outgoing of records) {
    const size = Buffer.byteLength(outgoing.record.value)
    const request = requests.at(-1)
    if (request !== undefined && request.length < most.records && bytes + size <= most.bytes) {
      request.push(outgoing)
      bytes += size
    } else {
      requests.push([outgoing])
      bytes = size
    }
  }
  return requests
}

const byTopic = (records: readonly Outgoing[]): TopicMessages[] =>
  [...Map.groupBy(records, ({ plan }) => plan.topic)].map(([topic, group]) => ({
    topic,
    messages: group.map(({ record }) => record),
  }))

function createProducer(newProducer: NewProducer) {
  const chosen = new Set<string>()
  const producer = newProducer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry,
    createPartitioner: () => {
      const choose = Partitioners.DefaultPartitioner()
      return (record) => {
        const partition = choose(record)
        chosen.add(`${record.topic}/${partition}`)
        return partition
      }
    },
  })
  return {
    connect: () => producer.connect(),
    disconnect: () => producer.disconnect(),
    async sendAll(topicMessages: TopicMessages[]): Promise<void> {
      chosen.clear()
      const written = await producer.sendBatch({ acks: -1, timeout: requestTimeoutMs, topicMessages })
      for (const { topicName, partition } of written) chosen.delete(`${topicName}/${partition}`)
      // When a partition moves between two tries to a broker that has answered already, the library leaves it out and says nothing.
      if (chosen.size > 0) throw new Error(`Kafka did not acknowledge ${[...chosen].join(', ')}`)
    },
  }
}
