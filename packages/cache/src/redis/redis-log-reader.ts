import { createWakeup } from '@parley/kit'
import type { LogEntry } from '../ports.ts'
import type { StreamRow } from './redis-blocking-read.ts'
import { isAfter } from './redis-row-id.ts'
import type { RedisStreamReader } from './redis-stream-reader.ts'

/** Characters that may wait for a slow reader, and the rest of one answer; then it is passed over until it has read them. */
const mostWaiting = 64 * 1024

/**
 * Entries of the log at `key` after `afterSeq` as they come. Ends when the log is closed, gone, lost with its engine, or the engine is unavailable
 * for too long.
 * @param lastSeq of the log now: `afterSeq` may be any number, so the engine is asked for what exists
 */
export async function* readLog(
  reader: RedisStreamReader,
  key: string,
  { afterSeq, lastSeq }: { readonly afterSeq: number; readonly lastSeq: number },
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const rows: StreamRow[] = []
  let lastId = `${Math.max(0, Math.min(afterSeq, lastSeq))}-0`
  let waiting = 0
  let isOver = false
  const { wake, wait } = createWakeup()
  const finish = (): void => {
    isOver = true
    wake()
  }
  const isFull = (): boolean => waiting > mostWaiting
  const following = reader.follow({
    key,
    after: () => (isOver || isFull() ? undefined : lastId),
    onRows(heard) {
      for (const row of heard) {
        if (!isAfter(row[0], lastId)) continue
        lastId = row[0]
        rows.push(row)
        waiting += sizeOf(row)
      }
      wake()
    },
    look(last) {
      // A log that ends before what was read of it is another one: an engine without its data.
      if (last === '' || isAfter(lastId, last)) finish()
    },
    cutOff: finish,
  })
  // One listener for the whole reading: a long answer waits thousands of times.
  signal.addEventListener('abort', finish, { once: true })
  try {
    for (let seq = afterSeq; !signal.aborted; ) {
      const row = rows.shift()
      if (row === undefined) {
        if (isOver) return
        await wait()
        continue
      }
      if (row[1][0] !== entriesField) return
      for (const entry of unpackEntries(row)) {
        if (signal.aborted) return
        if (entry.seq <= seq) continue
        yield entry
        seq = entry.seq
      }
      const wasFull = isFull()
      waiting -= sizeOf(row)
      if (wasFull && !isFull()) following.wantsMore()
    }
  } finally {
    signal.removeEventListener('abort', finish)
    following.end()
  }
}

/** The field of a row that holds entries; the mark of a closed log has another one. */
const entriesField = 'e'

const sizeOf = ([, [, value = '']]: StreamRow): number => value.length

function unpackEntries([, [, value = '']]: StreamRow): LogEntry[] {
  const { seq, data } = JSON.parse(value) as { seq: number; data: string[] }
  return data.map((line, index) => ({ seq: seq + index, data: line }))
}
