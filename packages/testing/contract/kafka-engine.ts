import type { EventBus } from '@parley/bus'
import type { BusHarness } from '@parley/bus/contract'
import { calmRequestQueues, openKafkaBus } from '@parley/bus/kafka'
import { createLogger, newId } from '@parley/kit'
import kafkajs, { Kafka, type KafkaMessage, logLevel, type Message } from 'kafkajs'
import { startFaultProxy } from '../src/processes/fault-proxy.ts'
import { startHangingConsumer } from './hanging-process.ts'

const log = createLogger('kafka-contract', 'silent')
const partitions = 3
type BusOptions = Parameters<typeof openKafkaBus>[0]

/** Brokers and prefix in one string, for passing to another process. */
export const kafkaAddress = (brokers: string, prefix: string): string => `${brokers}/${prefix}`

/** Opens a replica with short pauses between retries of handlers. */
export function openKafkaReplica(address: string, more: Partial<BusOptions> = {}): Promise<EventBus> {
  const [brokers = '', topicPrefix = ''] = address.split('/')
  return openKafkaBus({
    brokers: brokers.split(','),
    topicPrefix,
    log,
    clientId: 'contract',
    partitions,
    retryDelaysMs: [1, 1, 1, 1],
    ...more,
  })
}

/** Opens a replica with the shortest session time-out that the brokers allow. */
export async function openMortalReplica(address: string): Promise<EventBus> {
  const [brokers = ''] = address.split('/')
  return await openKafkaReplica(address, { sessionMs: await shortestSessionMs(brokers) })
}

/** An empty log under a new prefix. @param brokers `host:port`, separated by commas */
export async function openKafkaHarness(brokers: string): Promise<BusHarness> {
  const prefix = `test-${newId()}`
  const address = kafkaAddress(brokers, prefix)
  const ends: (() => Promise<unknown>)[] = []
  const open = async (more?: Partial<BusOptions>): Promise<EventBus> => {
    const bus = await openKafkaReplica(address, more)
    ends.push(() => bus.close())
    return bus
  }
  return {
    openReplica: () => open(),
    async openSevered() {
      const [host = '', port] = brokers.split(',')[0]?.split(':') ?? []
      const proxy = await startFaultProxy({ host, port: Number(port) })
      ends.push(() => proxy.close())
      const bus = await open({ reach: () => ({ host: '127.0.0.1', port: proxy.port }) })
      return {
        bus,
        sever() {
          proxy.fault({ kind: 'refuse' })
          proxy.cutNow()
        },
        restore: () => proxy.fault({ kind: 'none' }),
      }
    },
    async startHangingConsumer(group) {
      const consumer = startHangingConsumer('Kafka', address, group)
      ends.push(async () => consumer.kill())
      return consumer
    },
    appendUnchecked: (topic, event) => appendRecords(brokers, `${prefix}.${topic}`, [{ value: JSON.stringify(event) }]),
    async close() {
      for (const end of ends.toReversed()) await end()
      await removeTopics(brokers, prefix)
    },
  }
}

function createClient(brokers: string): Kafka {
  calmRequestQueues()
  return new Kafka({ brokers: brokers.split(','), clientId: 'third-party', logLevel: logLevel.NOTHING })
}

/** Appends records as a foreign producer, creating the topic if it is missing. */
export async function appendRecords(brokers: string, topic: string, messages: Message[]): Promise<void> {
  const kafka = createClient(brokers)
  const [admin, producer] = [kafka.admin(), kafka.producer({ allowAutoTopicCreation: false, idempotent: true })]
  try {
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: false })
    await producer.connect()
    // All to one partition, because a retried record without a key would go to another.
    await producer.send({ topic, messages: messages.map((message) => ({ partition: 0, ...message })) })
  } finally {
    await Promise.all([admin.disconnect(), producer.disconnect()])
  }
}

/** Reads a topic from its beginning as a foreign consumer, until it has `count` records. */
export async function readRecords(brokers: string, topic: string, count: number): Promise<KafkaMessage[]> {
  const consumer = createClient(brokers).consumer({ groupId: `third-party-${newId()}`, maxWaitTimeInMs: 100 })
  const records: KafkaMessage[] = []
  const whole = Promise.withResolvers<void>()
  try {
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      eachMessage: async ({ message }) => {
        if (records.push(message) === count) whole.resolve()
      },
    })
    await whole.promise
  } finally {
    await consumer.disconnect()
  }
  return records
}

/** Runs `act` with a new admin client. */
export async function withAdmin<T>(
  brokers: string,
  act: (admin: ReturnType<Kafka['admin']>) => Promise<T>,
): Promise<T> {
  const admin = createClient(brokers).admin()
  try {
    await admin.connect()
    return await act(admin)
  } finally {
    await admin.disconnect()
  }
}

/** The shortest session time-out that the brokers allow, in milliseconds. */
export const shortestSessionMs = (brokers: string): Promise<number> =>
  withAdmin(brokers, async (admin) => {
    const [broker] = (await admin.describeCluster()).brokers
    const setting = {
      type: kafkajs.ConfigResourceTypes.BROKER,
      name: String(broker?.nodeId),
      configNames: ['group.min.session.timeout.ms'],
    }
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [setting] })
    return Number(resources[0]?.configEntries[0]?.configValue)
  })

/** Removes the topics of a harness or test. */
export const removeTopics = (brokers: string, prefix: string): Promise<void> =>
  withAdmin(brokers, async (admin) => {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`))
    if (topics.length > 0) await admin.deleteTopics({ topics })
  })
