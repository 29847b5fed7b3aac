import { randomUUID } from 'node:crypto'
import type { LogEntry, StreamLog } from '../ports.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { readLog } from './redis-log-reader.ts'
import { runScript } from './redis-script.ts'
import type { RedisStreamReader } from './redis-stream-reader.ts'
import { append, close, lastIds } from './redis-stream-scripts.ts'

const expireAfterMs = 5 * 60_000
/** How long writes and a reader's first query tolerate an unavailable engine, such as while a broken connection is replaced. Milliseconds. */
const patienceMs = 1_500

/** Stream logs over an engine. @param expireMs time from a log's last write to its end; 5 minutes by default */
export function createRedisStreamLog(
  link: RedisLink,
  reader: RedisStreamReader,
  keys: RedisKeys,
  expireMs = expireAfterMs,
): StreamLog {
  const endOf = async (streamId: string, run: RedisLink['run'] = link.run) => {
    const [last] = (await run((redis) => runScript(redis, lastIds, [keys.stream(streamId)], []))) as string[]
    if (!last) return undefined
    const [lastSeq = 0, mark] = last.split('-').map(Number)
    return { lastSeq, closed: mark === 1 }
  }
  return {
    async append(streamId, entries) {
      const [first, final] = [entries[0], entries.at(-1)]
      if (first === undefined || final === undefined) return !(await endOf(streamId))?.closed
      if (entries.some(({ seq }, index) => seq !== first.seq + index)) return false
      const values = [first.seq, final.seq, packEntries(entries), randomUUID(), expireMs]
      const appendOnce = link.persist((redis) => runScript(redis, append, [keys.stream(streamId)], values), patienceMs)
      return (await appendOnce) === 1
    },
    async close(streamId) {
      await link.persist((redis) => runScript(redis, close, [keys.stream(streamId)], [expireMs]), patienceMs)
    },
    state: (streamId) => endOf(streamId),
    async *read(streamId, afterSeq, signal) {
      if (signal.aborted) return
      // The link has logged why it cannot be asked; the reader's caller has the store to go to.
      const found = await endOf(streamId, (command) => link.persist(command, patienceMs)).catch(() => undefined)
      if (found === undefined || (found.closed && found.lastSeq <= afterSeq)) return
      yield* readLog(reader, keys.stream(streamId), { afterSeq, lastSeq: found.lastSeq }, signal)
    },
  }
}

const packEntries = (entries: readonly LogEntry[]): string =>
  JSON.stringify({ seq: entries[0]?.seq, data: entries.map(({ data }) => data) })
