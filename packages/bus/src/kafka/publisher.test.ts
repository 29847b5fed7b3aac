import type { ProducerBatch, RecordMetadata } from 'kafkajs'
import { expect, it } from 'vitest'
import { createPublisher, type NewProducer, type Outgoing } from './publisher.ts'

const plan = { topic: 'parley.auth', numPartitions: 3 }
const partitionMetadata = Array.from({ length: 3 }, (_none, partitionId) => ({
  ...{ partitionId, partitionErrorCode: 0, leader: 1 },
  ...{ replicas: [1], isr: [1] },
}))
const record = (partition: number): Outgoing => ({ plan, record: { partition, value: `for ${partition}` } })

/** A publisher over brokers of which some partitions are left out of the library's acknowledgement. */
function given() {
  const leftOut = new Set<number>()
  const connected: number[] = []
  const newProducer: NewProducer = ({ createPartitioner }) => ({
    connect: async () => void connected.push(connected.length),
    disconnect: async () => undefined,
    async sendBatch({ topicMessages = [] }: ProducerBatch) {
      const choose = createPartitioner?.()
      const written = new Set(
        topicMessages.flatMap(({ topic, messages }) =>
          messages.map((message) => choose?.({ topic, message, partitionMetadata }) ?? 0),
        ),
      )
      const acknowledged = [...written].filter((partition) => !leftOut.has(partition))
      return acknowledged.map((partition): RecordMetadata => ({ topicName: plan.topic, partition, errorCode: 0 }))
    },
  })
  const topics = { ensure: async () => undefined, forget: () => undefined }
  return { leftOut, connected, publisher: createPublisher(newProducer, topics) }
}

it('records are published once every partition of them is acknowledged', async () => {
  const { connected, publisher } = given()
  await publisher.send([record(0), record(1), record(1), record(2)])
  await publisher.send([record(1)])
  expect(connected).toHaveLength(1)
})

it('records are not published when the library leaves a partition out of an acknowledgement, and the producer is replaced', async () => {
  const { leftOut, connected, publisher } = given()
  leftOut.add(1)
  await expect(publisher.send([record(0), record(1), record(2)])).rejects.toThrow(
    'Kafka did not acknowledge parley.auth/1',
  )
  await publisher.send([record(0), record(2)])
  leftOut.clear()
  await publisher.send([record(1)])
  expect(connected).toHaveLength(2)
})
