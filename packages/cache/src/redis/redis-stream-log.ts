import { randomUUID } from 'node:crypto'
import type { LogEntry, StreamLog } from '../ports.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { type LogEnd, parseEnd } from './redis-log-end.ts'
import { runScript } from './redis-script.ts'
import { readLog } from './redis-stream-reader.ts'
import { append, close, tails } from './redis-stream-scripts.ts'
import type { RedisSubscriber } from './redis-subscriber.ts'
import { createTails } from './redis-tails.ts'

const expireAfterMs = 5 * 60_000
/** Writes and readers outlast an engine that is away for this long, such as while a broken connection is made anew. Milliseconds. */
const patienceMs = 1_500

/** Stream logs over an engine, and how their readers end. */
export interface RedisStreamLog {
  readonly streamLog: StreamLog
  /** Looks at once for what was not heard. */
  look(): void
  /** Ends every reader. */
  stop(): void
}

/** @param expireMs time from a log's last write to its end; 5 minutes unless told */
export function createRedisStreamLog(
  link: RedisLink,
  subscriber: RedisSubscriber,
  keys: RedisKeys,
  expireMs = expireAfterMs,
): RedisStreamLog {
  const tailsOf = createTails({ link, subscriber, keys, patienceMs })
  const stateOf = async (streamId: string): Promise<LogEnd | undefined> => {
    const reply = await link.run((redis) => runScript(redis, tails, [keys.stream(streamId)], []))
    return parseEnd((reply as string[])[0] ?? '')
  }
  const streamLog: StreamLog = {
    async append(streamId, entries) {
      const [first, final] = [entries[0], entries.at(-1)]
      if (first === undefined || final === undefined) return !(await stateOf(streamId))?.closed
      if (entries.some(({ seq }, index) => seq !== first.seq + index)) return false
      const values = [first.seq, final.seq, packEntries(entries), randomUUID(), expireMs, keys.streamChannel(streamId)]
      const appendOnce = link.persist((redis) => runScript(redis, append, [keys.stream(streamId)], values), patienceMs)
      return (await appendOnce) === 1
    },
    async close(streamId) {
      const values = [expireMs, keys.streamChannel(streamId)]
      await link.persist((redis) => runScript(redis, close, [keys.stream(streamId)], values), patienceMs)
    },
    state: stateOf,
    read: (streamId, afterSeq, signal) => readLog({ link, keys, tails: tailsOf }, streamId, afterSeq, signal),
  }
  return { streamLog, look: tailsOf.look, stop: tailsOf.stop }
}

const packEntries = (entries: readonly LogEntry[]): string =>
  JSON.stringify({ seq: entries[0]?.seq, data: entries.map(({ data }) => data) })
