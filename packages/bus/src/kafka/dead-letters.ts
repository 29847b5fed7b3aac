import { type DeadLetterCount, newId } from '@parley/kit'
import type { Admin, ITopicConfig, KafkaMessage } from 'kafkajs'
import { deliver, isHandled } from '../deliver.ts'
import type { DeadLetter, Subscription } from '../event-bus.ts'
import type { KafkaConnection } from './connection.ts'
import { readLetters } from './letter-reader.ts'
import type { Names } from './names.ts'
import type { Publisher } from './publisher.ts'
import type { ReconnectingClient } from './reconnecting-client.ts'

/** The newest that a list shows, and how many records it looks at for them: some may be replaced by later ones. */
const most = { letters: 200, records: 1_000 }
const adminMs = 5_000

export interface LetterTools {
  readonly connection: KafkaConnection
  readonly names: Names
  readonly admin: ReconnectingClient<Admin>
  readonly publisher: Publisher
  planOf(group: string): ITopicConfig
}

/** A dead letter, and the place of its event in the log. */
export interface Letter extends DeadLetter {
  readonly place: string
}

/** Dead letters, each group's in a topic of its own. A later letter about the same place replaces an earlier one. Opens nothing. */
export function createLetterStore(tools: LetterTools) {
  const { connection, names, admin, publisher } = tools
  const keep = ({ group, place, event, error, at }: Letter): Promise<void> =>
    publisher.send([
      {
        plan: tools.planOf(group),
        record: {
          key: place,
          value: JSON.stringify({ event, error, at }),
          headers: { 'content-type': 'application/json' },
        },
      },
    ])
  /** Undefined when there is none. */
  const boundsOf = (group: string): Promise<Bounds | undefined> =>
    admin.use((client) => readBounds(client, names.letterTopic(group)), adminMs)
  /** Whether no letter is left, or none before the offset. */
  const isGone = async (group: string, before?: bigint): Promise<boolean> => {
    const bounds = await boundsOf(group)
    return bounds === undefined || (before !== undefined && bounds.low >= before)
  }
  const forgetBefore = (group: string, offset: bigint): Promise<void> =>
    admin.use(
      (client) =>
        client.deleteTopicRecords({
          topic: names.letterTopic(group),
          partitions: [{ partition: 0, offset: String(offset) }],
        }),
      adminMs,
    )
  /** Hands out the letters from one offset up to another, oldest first, and leaves them. */
  const look = async (group: string, from: bigint, to: bigint, see: (letter: Letter) => void): Promise<void> => {
    const groupId = names.listId(group, newId())
    const reading = { connection, groupId, topic: names.letterTopic(group), from, isGone: () => isGone(group, to) }
    await readLetters(reading, async (message) => {
      see(letterOf(group, message))
      return BigInt(message.offset) + 1n < to
    })
    await admin.use((client) => client.deleteGroups([groupId]), adminMs)
  }
  const count = async (group: string, { low, high }: Bounds): Promise<DeadLetterCount> => {
    const until = low + BigInt(most.records) < high ? low + BigInt(most.records) : high
    const places = new Set<string>()
    let oldestAt: Date | undefined
    await look(group, low, until, ({ place, at }) => {
      places.add(place)
      oldestAt ??= at
    })
    return { group, count: places.size + Number(high - until), oldestAt: oldestAt ?? new Date() }
  }
  return {
    /** Resolves once it is kept. */
    keep,
    /** Newest first, at most 200. */
    async list(group: string): Promise<readonly DeadLetter[]> {
      const bounds = await boundsOf(group)
      if (bounds === undefined) return []
      const { low, high } = bounds
      const letters = new Map<string, DeadLetter>()
      const from = low > high - BigInt(most.records) ? low : high - BigInt(most.records)
      await look(group, from, high, ({ place, ...letter }) => {
        // Takes its new place in the order.
        letters.delete(place)
        letters.set(place, letter)
      })
      return [...letters.values()].toReversed().slice(0, most.letters)
    },
    /** Undefined when there is none. Records beyond the oldest 1,000 are counted without a look at which replace others. */
    async count(group: string): Promise<DeadLetterCount | undefined> {
      const bounds = await boundsOf(group)
      return bounds && (await count(group, bounds))
    },
    /** Removes those that are there now. Resolves to how many they were. */
    async drop(group: string): Promise<number> {
      const bounds = await boundsOf(group)
      if (bounds === undefined) return 0
      const letters = await count(group, bounds)
      await forgetBefore(group, bounds.high)
      return letters.count
    },
    /** One try each, oldest first. Resolves to how many succeeded. */
    async replay({ group, handlers }: Subscription): Promise<number> {
      if ((await boundsOf(group)) === undefined) return 0
      const seen = new Set<string>()
      let succeeded = 0
      let bounds: Bounds | undefined
      // The group's one partition has one owner, who hands the letters out; who comes second finds those that are left.
      const groupId = names.replayId(group)
      const ready = async (): Promise<boolean> => {
        bounds = await boundsOf(group)
        return bounds !== undefined
      }
      const reading = { ready, isGone: () => isGone(group, bounds?.high) }
      await readLetters({ connection, groupId, topic: names.letterTopic(group), ...reading }, async (message) => {
        const letter = letterOf(group, message)
        const offset = BigInt(message.offset)
        if (!seen.has(letter.place)) {
          seen.add(letter.place)
          const left = await replayLetter(letter, handlers)
          if (left === undefined) succeeded += 1
          else await keep(left)
        }
        await forgetBefore(group, offset + 1n)
        return bounds !== undefined && offset + 1n < bounds.high
      })
      return succeeded
    },
  }
}

/** Resolves to the letter that is left of it, or to undefined when its event has been handled. */
async function replayLetter(letter: Letter, handlers: Subscription['handlers']): Promise<Letter | undefined> {
  if (!isHandled(letter.event, handlers)) return letter
  const delivery = await deliver(letter.event, handlers, [], new AbortController().signal)
  return delivery.kind === 'failed' ? { ...letter, error: delivery.error, at: new Date() } : undefined
}

function letterOf(group: string, { key, value }: KafkaMessage): Letter {
  const { event, error, at } = JSON.parse(String(value))
  return { place: String(key), group, event, error, at: new Date(at) }
}

interface Bounds {
  readonly low: bigint
  /** One past the last. */
  readonly high: bigint
}

async function readBounds(admin: Admin, topic: string): Promise<Bounds | undefined> {
  const topics = await admin.listTopics()
  if (!topics.includes(topic)) return undefined
  const [bounds] = await admin.fetchTopicOffsets(topic)
  if (bounds === undefined || bounds.low === bounds.high) return undefined
  return { low: BigInt(bounds.low), high: BigInt(bounds.high) }
}
