import { type Admin, AssignerProtocol, type GroupDescription } from 'kafkajs'
import type { Names } from './names.ts'

type Offsets = Awaited<ReturnType<Admin['fetchTopicOffsets']>>
type Ends = ReadonlyMap<string, Offsets>

/**
 * Events not yet handled, by group: of the topics that its members subscribe to, or that they committed to when they are unavailable. A group
 * that has just joined for the first time is left out until its partitions are assigned.
 */
export async function readLag(admin: Admin, names: Names, groups: readonly string[]): Promise<Record<string, number>> {
  const ids = groups.map(names.groupId)
  if (ids.length === 0) return {}
  const topics = (await admin.listTopics()).filter(names.isEventTopic)
  // Read before the offsets, so that events handled meanwhile are not counted as waiting twice.
  const ends: Ends = new Map(
    await Promise.all(topics.map(async (topic) => [topic, await endsOf(admin, topic)] as const)),
  )
  const described = await admin.describeGroups(ids)
  const lags = await Promise.all(
    described.groups.map(async (group) => [group, await lagOf(admin, group, ends)] as const),
  )
  return Object.fromEntries(
    lags.flatMap(([{ groupId }, lag]) => (lag === undefined ? [] : [[names.groupOf(groupId) ?? groupId, lag]])),
  )
}

async function endsOf(admin: Admin, topic: string): Promise<Offsets> {
  try {
    return await admin.fetchTopicOffsets(topic)
  } catch (error) {
    // The library takes apart an empty response where it knows no partitions, as of a topic that is being created or removed.
    if ((error as Error).name !== 'TypeError') throw error
    throw new Error(`the brokers name no partitions of the topic ${topic} at present`, { cause: error })
  }
}

async function lagOf(admin: Admin, group: GroupDescription, ends: Ends): Promise<number | undefined> {
  const subscribed = new Set(group.members.flatMap(({ memberMetadata }) => topicsOf(memberMetadata)))
  const committed = await admin.fetchOffsets({ groupId: group.groupId, topics: [...ends.keys()] })
  let lag: number | undefined
  for (const { topic, partitions } of committed) {
    const offsets = new Map(partitions.map(({ partition, offset }) => [partition, Number(offset)]))
    const isConsumed =
      subscribed.size > 0 ? subscribed.has(topic) : partitions.some(({ offset }) => Number(offset) >= 0)
    if (!isConsumed) continue
    for (const { partition, low, high } of ends.get(topic) ?? []) {
      // Retention may have passed a group that was unavailable; one that never committed there has -1.
      const next = Math.max(offsets.get(partition) ?? -1, Number(low))
      lag = (lag ?? 0) + Math.max(0, Number(high) - next)
    }
  }
  return lag
}

/** Brokers say nothing of a member while its group makes up its mind. */
const topicsOf = (memberMetadata: Buffer): readonly string[] =>
  memberMetadata.length === 0 ? [] : (AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [])
