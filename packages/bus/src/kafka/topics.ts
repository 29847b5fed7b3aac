import { setTimeout as delay } from 'node:timers/promises'
import type { Admin, ITopicConfig } from 'kafkajs'
import type { ReconnectingClient } from './reconnecting-client.ts'

const weekMs = 7 * 24 * 60 * 60 * 1_000
/** Between two looks at topics that have just been made. */
const lookMs = 25

export interface TopicShape {
  /** Partitions of each topic of events: the most replicas of a service that can share its work. */
  readonly partitions: number
  /** Copies of each partition, on as many brokers. */
  readonly replication: number
}

/** A topic of events, kept for seven days of the broker's clock. */
export const eventTopicPlan = (topic: string, { partitions, replication }: TopicShape): ITopicConfig => ({
  topic,
  numPartitions: partitions,
  replicationFactor: replication,
  configEntries: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: String(weekMs) },
    // Otherwise a publisher whose clock is slow would have its events dropped early.
    { name: 'message.timestamp.type', value: 'LogAppendTime' },
    ...durability(replication),
  ],
})

/** A topic of dead letters: kept until they are replayed, and in one order, which makes its one partition the lock of a replay. */
export const letterTopicPlan = (topic: string, { replication }: TopicShape): ITopicConfig => ({
  topic,
  numPartitions: 1,
  replicationFactor: replication,
  configEntries: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: '-1' },
    ...durability(replication),
  ],
})

/** An acknowledged record is on all copies but one at least, so that one broker may be away. */
const durability = (replication: number) => [
  { name: 'min.insync.replicas', value: String(Math.max(1, replication - 1)) },
]

export type Topics = ReturnType<typeof createTopics>

/** Makes topics that are missing, and remembers those that it has seen. */
export function createTopics(admin: ReconnectingClient<Admin>) {
  const known = new Set<string>()
  return {
    /** Resolves once they are there; asks only for those not seen before. @throws after `deadlineMs` */
    async ensure(plans: readonly ITopicConfig[], deadlineMs: number): Promise<void> {
      if (plans.every(({ topic }) => known.has(topic))) return
      const deadline = performance.now() + deadlineMs
      await admin.use((client) => makeMissing(client, plans, deadline), deadlineMs)
      for (const { topic } of plans) known.add(topic)
    },
    /** Looks again next time. */
    forget: () => known.clear(),
    /** Rejects unless the brokers answer within `deadlineMs`. Asks for one topic seen before, as the list of all is long on brokers that others use, too. */
    health: (deadlineMs: number) =>
      admin.use(async (client) => {
        const [topic] = known
        if (topic !== undefined && (await haveLeaders(client, [topic]))) return
        // An operator may have removed it.
        known.clear()
        await client.listTopics()
      }, deadlineMs),
  }
}

async function makeMissing(client: Admin, plans: readonly ITopicConfig[], deadline: number): Promise<void> {
  const missing = new Map(plans.map((plan) => [plan.topic, plan]))
  for (const topic of await client.listTopics()) missing.delete(topic)
  if (missing.size === 0) return
  // Another replica may make them at the same time; the library takes that for done.
  await client.createTopics({ topics: [...missing.values()], waitForLeaders: false })
  while (!(await haveLeaders(client, [...missing.keys()]))) {
    if (performance.now() > deadline) throw new Error('Kafka does not serve the topics that it has made')
    await delay(lookMs)
  }
}

/** Brokers learn of new topics a moment after these are created. */
async function haveLeaders(client: Admin, topics: string[]): Promise<boolean> {
  try {
    await client.fetchTopicMetadata({ topics })
    return true
  } catch (error) {
    const { type } = error as { type?: unknown }
    if (type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'LEADER_NOT_AVAILABLE') return false
    throw error
  }
}
