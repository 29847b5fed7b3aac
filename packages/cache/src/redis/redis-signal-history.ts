import type { RedisLink } from './redis-link.ts'
import { runScript } from './redis-script.ts'
import { readAfter } from './redis-signal-scripts.ts'

/** A message of the history. `id` and `before` are the engine's numbers, `milliseconds-count`. */
interface Message {
  readonly id: string
  readonly before: string
  readonly name: string
  readonly payload: unknown
}

/** Reads the history in order, each message once, whichever way it came. */
export interface HistoryReader {
  /** Takes a message as it was published. */
  receive(message: string): void
  /** Reads what is new. The first look only finds out where the history stands. @throws RedisAwayError */
  look(): Promise<void>
}

/** Who is told. */
export interface HistoryListener {
  hear(message: Message): void
  /** Messages are gone for good. */
  lost(): void
}

/** A reader that has read nothing yet. */
export function createHistoryReader(link: RedisLink, key: string, listener: HistoryListener): HistoryReader {
  let last: string | undefined
  let looking: Promise<void> | undefined
  const take = (message: Message): void => {
    last = message.id
    listener.hear(message)
  }
  const catchUp = (rows: readonly Message[]): void => {
    // Some may have been received while the engine was asked.
    const unread = rows.filter(({ id }) => isAfter(id, last ?? id))
    if (unread[0] !== undefined && unread[0].before !== last) listener.lost()
    for (const message of unread) take(message)
  }
  const lookOnce = async (): Promise<void> => {
    const from = last
    const reply = await link.run((redis) => runScript(redis, readAfter, [key], [from ?? '']))
    const [tail, rows] = reply as [string, [string, [string, string]][]]
    if (from === undefined) {
      last = tail
      // Whoever subscribed before this cannot know what went by.
      listener.lost()
    } else if (isAfter(from, tail)) {
      if (last === from) last = tail
      listener.lost()
    } else {
      catchUp(rows.map(([id, [, fields]]) => readRow(id, fields)))
    }
  }
  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }
  return {
    receive(text) {
      const message = readPublished(text)
      if (last === undefined || !isAfter(message.id, last)) return
      if (message.before === last) take(message)
      // What the gap held is in the history; the link logs why it cannot be read, and the next look comes soon.
      else look().catch(() => undefined)
    },
    look,
  }
}

function readRow(id: string, fields: string): Message {
  const [before, name, payload] = JSON.parse(fields) as [string, string, string]
  return { id, before, name, payload: JSON.parse(payload) }
}

function readPublished(text: string): Message {
  const [id, before, name, payload] = JSON.parse(text) as [string, string, string, string]
  return { id, before, name, payload: JSON.parse(payload) }
}

function isAfter(id: string, other: string): boolean {
  const [ms = 0, count = 0] = id.split('-').map(Number)
  const [otherMs = 0, otherCount = 0] = other.split('-').map(Number)
  return ms === otherMs ? count > otherCount : ms > otherMs
}
