import type { LogEntry } from '../ports.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { parseEnd } from './redis-log-end.ts'
import { runScript } from './redis-script.ts'
import { read } from './redis-stream-scripts.ts'
import type { Tail } from './redis-tail.ts'
import type { Tails } from './redis-tails.ts'

/** What reading a log uses. */
export interface LogReaderDeps {
  readonly link: RedisLink
  readonly keys: RedisKeys
  readonly tails: Tails
}

/** Rows in one answer. */
const rowsAtOnce = 64

/**
 * Entries after `afterSeq` as they come. A reader that keeps up gets what is heard; one that is behind reads from the engine at its own
 * pace, so nothing is kept for it. Ends when the log is closed, gone, lost with its engine, or the engine is away for too long.
 */
export async function* readLog(
  deps: LogReaderDeps,
  streamId: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  if (signal.aborted) return
  const { tail, tried, end } = deps.tails.watch(streamId)
  let wake: () => void = () => undefined
  // One listener for the whole reading: a long answer waits thousands of times.
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await tried
    let seq = afterSeq
    for (let known = false; !signal.aborted; known = true) {
      const entries = await nextEntries(deps, streamId, tail, seq, known)
      if (entries === undefined) return
      for (const entry of entries) {
        if (signal.aborted) return
        yield entry
        seq = entry.seq
      }
      // More may have come while the engine was asked.
      if (entries.length > 0 || tail.end().lastSeq > seq) continue
      if (tail.isGone() || tail.end().closed) return
      await new Promise<void>((resolve) => {
        wake = resolve
        tail.wait(resolve)
      })
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    end()
  }
}

/** Entries after `seq`, none when there are none yet; undefined when there will be none. @param known whether the log was asked for before */
async function nextEntries(
  { link, keys }: LogReaderDeps,
  streamId: string,
  tail: Tail,
  seq: number,
  known: boolean,
): Promise<readonly LogEntry[] | undefined> {
  const asked = tail.end()
  const heard = tail.after(seq)
  if (heard.length > 0) return heard
  if (known && asked.lastSeq <= seq) return []
  const values = [`${seq + 1}-0`, rowsAtOnce]
  const reading = link.run((redis) => runScript(redis, read, [keys.stream(streamId)], values))
  // The link has logged why; the reader's caller has the store to go to.
  const reply = (await reading.catch(() => ['', []])) as [string, [string, string[]][]]
  const found = parseEnd(reply[0])
  tail.learn(found, asked)
  const entries = reply[1].flatMap(([, fields]) => unpackRow(fields)).filter((entry) => entry.seq > seq)
  const isLost = found === undefined || (entries.length === 0 && found.lastSeq > seq)
  return isLost ? undefined : entries
}

function unpackRow([field, value = '']: readonly string[]): LogEntry[] {
  // The mark of a closed log carries no entries.
  if (field !== 'e') return []
  const { seq, data } = JSON.parse(value) as { seq: number; data: string[] }
  return data.map((line, index) => ({ seq: seq + index, data: line }))
}
