import type { LogEntry, StreamLog } from '@parley/cache'

/** Appends to one answer's log in order, one append at a time. */
export interface LogWriter {
  write(entries: readonly LogEntry[]): void
  /** Resolves once all that was written is in the log, or the log was lost. */
  settled(): Promise<void>
}

/** @param lost called once when the log refused an append or cannot be reached; nothing is appended from then on */
export function createLogWriter(log: StreamLog, streamId: string, lost: () => void): LogWriter {
  let queue: LogEntry[] = []
  let pumping: Promise<void> | undefined
  let isLost = false
  const pump = async (): Promise<void> => {
    while (queue.length > 0 && !isLost) {
      const batch = queue
      queue = []
      // An engine that is away and one that forgot the log come to the same: readers have to go to the store.
      const appended = await log.append(streamId, batch).catch(() => false)
      if (appended) continue
      isLost = true
      lost()
    }
    pumping = undefined
  }
  return {
    write(entries) {
      queue.push(...entries)
      pumping ??= pump()
    },
    settled: () => pumping ?? Promise.resolve(),
  }
}
