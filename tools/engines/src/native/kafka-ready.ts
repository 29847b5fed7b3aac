import { calmRequestQueues } from '@parley/bus/kafka'
import { newId } from '@parley/kit'
import { type Consumer, Kafka, logLevel } from 'kafkajs'

const topic = 'parley-test-ready'

/**
 * Resolves once Kafka accepts an event and lets a group join: it listens long before that.
 * @throws while it does not
 */
export async function isKafkaReady(broker: string): Promise<void> {
  calmRequestQueues()
  const kafka = new Kafka({
    brokers: [broker],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: { retries: 2, initialRetryTime: 50, maxRetryTime: 200 },
  })
  const [admin, producer] = [kafka.admin(), kafka.producer()]
  const consumer = kafka.consumer({ groupId: `ready-${newId()}`, maxWaitTimeInMs: 50 })
  try {
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true })
    await producer.connect()
    await producer.send({ topic, messages: [{ value: 'ready' }] })
    await joinGroup(consumer)
  } finally {
    await Promise.all([admin, producer, consumer].map((client) => client.disconnect()))
  }
}

async function joinGroup(consumer: Consumer): Promise<void> {
  const { GROUP_JOIN, CRASH } = consumer.events
  const joined = new Promise<void>((resolve, reject) => {
    consumer.on(GROUP_JOIN, () => resolve())
    consumer.on(CRASH, ({ payload }) => reject(payload.error))
  })
  // Awaited below, unless connecting fails first.
  joined.catch(() => undefined)
  await consumer.connect()
  await consumer.subscribe({ topic })
  await consumer.run({ eachMessage: async () => undefined })
  await joined
}
