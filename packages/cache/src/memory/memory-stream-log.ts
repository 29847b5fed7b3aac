import { createWakeup } from '@parley/kit'
import type { LogEntry, StreamLog } from '../ports.ts'

const expireAfterMs = 5 * 60_000

/** The log of one stream. Readers that hold it keep it alive past its expiry until they have read all of it. */
interface Log {
  readonly entries: LogEntry[]
  closed: boolean
  expired: boolean
  /** Wakes readers that wait for more. */
  readonly waiting: Set<() => void>
  timer: NodeJS.Timeout | undefined
}

/** @param expireMs time from a log's last write to its end; 5 minutes by default */
export function createMemoryStreamLog(expireMs = expireAfterMs): StreamLog & { end(): void } {
  const logs = new Map<string, Log>()
  const expire = (streamId: string, log: Log): void => {
    clearTimeout(log.timer)
    log.expired = true
    logs.delete(streamId)
    wakeAll(log)
  }
  const touch = (streamId: string, log: Log): void => {
    clearTimeout(log.timer)
    log.timer = setTimeout(expire, expireMs, streamId, log)
    log.timer.unref()
    wakeAll(log)
  }
  const openLog = (streamId: string): Log => {
    const log: Log = { entries: [], closed: false, expired: false, waiting: new Set(), timer: undefined }
    logs.set(streamId, log)
    return log
  }
  return {
    async append(streamId, entries) {
      const known = logs.get(streamId)
      const next = (known?.entries.length ?? 0) + 1
      if (known?.closed || entries.some((entry, index) => entry.seq !== next + index)) return false
      if (entries.length === 0) return true
      const log = known ?? openLog(streamId)
      log.entries.push(...entries)
      touch(streamId, log)
      return true
    },
    async close(streamId) {
      const log = logs.get(streamId) ?? openLog(streamId)
      if (log.closed) return
      log.closed = true
      touch(streamId, log)
    },
    async state(streamId) {
      const log = logs.get(streamId)
      return log === undefined ? undefined : { lastSeq: log.entries.length, closed: log.closed }
    },
    read: (streamId, afterSeq, signal) => readLog(logs.get(streamId), afterSeq, signal),
    end() {
      for (const [streamId, log] of logs) expire(streamId, log)
    },
  }
}

async function* readLog(log: Log | undefined, afterSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry> {
  if (log === undefined) return
  const { wake, wait } = createWakeup()
  log.waiting.add(wake)
  // One listener for the whole reading: a long answer waits thousands of times.
  signal.addEventListener('abort', wake, { once: true })
  try {
    for (let index = Math.max(0, afterSeq); !signal.aborted; ) {
      const entry = log.entries[index]
      if (entry !== undefined) {
        yield entry
        index += 1
      } else if (log.closed || log.expired) return
      else await wait()
    }
  } finally {
    signal.removeEventListener('abort', wake)
    log.waiting.delete(wake)
  }
}

function wakeAll(log: Log): void {
  for (const wake of log.waiting) wake()
}
