import { createWakeup, onceOnly } from '@parley/kit'
import pg from 'pg'

/** Between two looks for events that no notification told of, in milliseconds. */
const lookMs = 2_000

/** A group's consumer of a topic. */
export interface Member {
  readonly group: string
  readonly topic: string
  /** Called when there may be events for it, and when the connection is lost. @param types of the events that were appended, if known */
  notice(types?: readonly string[]): void
}

/** One connection to the server, with the rights to consume that it holds. They are lost with it. */
export interface Connection {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<readonly Row[]>
  /** Takes the right to consume, and calls the member's `notice` from then on. False while another consumer of the group has it. */
  take(member: Member): Promise<boolean>
  /** Gives the right back, if the member has it. When that fails the connection is discarded, and all rights with it. */
  giveBack(member: Member): Promise<void>
}

export type SharedConnection = ReturnType<typeof createSharedConnection>

/**
 * The connection that all consumers of a bus share: each would otherwise cost the server a process that every append wakes. Opens nothing until it
 * is needed.
 */
export function createSharedConnection(config: pg.ClientConfig) {
  let opening: ReturnType<typeof open> | undefined
  return {
    /** The one there is, or a new one. */
    async current(): Promise<Connection> {
      if (opening !== undefined) return await opening
      const own = open(config, () => {
        if (opening === own) opening = undefined
      })
      opening = own
      // The next call tries again.
      own.catch(() => {
        if (opening === own) opening = undefined
      })
      return await own
    },
    /** Idempotent. */
    async close(): Promise<void> {
      const last = await opening?.catch(() => undefined)
      await last?.end()
    },
  }
}

/** Which of these groups have events of their topic before them. */
const look = {
  name: 'look-for-events',
  text: `
    select consumer_group as group, topic from unnest($1::text[], $2::text[]) as asked (consumer_group, topic)
    join bus.offsets o using (consumer_group, topic)
    where exists (select from bus.log l where l.topic = o.topic and l.position > o.position)`,
}

const keyOf = ({ group, topic }: Pick<Member, 'group' | 'topic'>): string => `bus:consume:${group}:${topic}`

async function open(config: pg.ClientConfig, lost: () => void): Promise<Connection & { end(): Promise<void> }> {
  const client = new pg.Client(config)
  const listening = new Set<string>()
  /** By the key of its lock: for the server both of two consumers on one connection would hold it. */
  const members = new Map<string, Member>()
  const nextLook = createWakeup()
  let hasEnded = false
  const end = onceOnly(async () => {
    hasEnded = true
    lost()
    nextLook.wake()
    for (const member of members.values()) member.notice()
    // Ending a lost connection fails; it is gone all the same.
    await client.end().catch(() => undefined)
  })
  // The consumers' next statement fails, and tells why.
  client.on('error', () => void end())
  client.on('end', () => void end())
  client.on('notification', ({ channel, payload = '' }) => {
    const types = payload === '' ? undefined : payload.split(' ')
    for (const member of members.values()) if (channel === channelOf(member.topic)) member.notice(types)
  })
  const query = async <Row extends pg.QueryResultRow>(asked: pg.QueryConfig): Promise<readonly Row[]> =>
    (await client.query<Row>(asked)).rows
  const lookAgainAndAgain = async (): Promise<void> => {
    for (await nextLook.wait(lookMs); !hasEnded; await nextLook.wait(lookMs)) {
      const asked = [...members.values()]
      if (asked.length === 0) continue
      const values = [asked.map(({ group }) => group), asked.map(({ topic }) => topic)]
      for (const found of await query<{ group: string; topic: string }>({ ...look, values })) {
        members.get(keyOf(found))?.notice()
      }
    }
  }
  const lock = async (key: string, topic: string): Promise<boolean> => {
    if (!listening.has(topic)) await client.query(`listen ${pg.escapeIdentifier(channelOf(topic))}`)
    listening.add(topic)
    const [row] = await query<{ held: boolean }>({
      text: 'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
      values: [key],
    })
    return row?.held === true
  }
  await client.connect()
  lookAgainAndAgain().catch(end)
  return {
    query,
    async take(member) {
      const key = keyOf(member)
      if (members.has(key)) return false
      members.set(key, member)
      let isTaken = false
      try {
        isTaken = await lock(key, member.topic)
      } finally {
        if (!isTaken) members.delete(key)
      }
      return isTaken
    },
    async giveBack(member) {
      const key = keyOf(member)
      if (members.get(key) !== member) return
      try {
        await query({ text: 'select pg_advisory_unlock(hashtextextended($1, 0))', values: [key] })
      } catch {
        await end()
      } finally {
        members.delete(key)
      }
    },
    end,
  }
}

const channelOf = (topic: string): string => `bus.${topic}`
