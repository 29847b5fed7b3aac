import { setTimeout as delay } from 'node:timers/promises'
import type { LogEntry, StreamLog } from '@parley/cache'

/** Between two tries to put a log right, in milliseconds: grows while it is in vain. */
const retryMs = { first: 50, most: 2_000 }
/** Entries that are appended at once to a log that lacks many. */
const chunk = 500

/** Appends to one answer's log in order, one append at a time. */
export type LogWriter = ReturnType<typeof createLogWriter>

export interface LogWriterOptions {
  readonly log: StreamLog
  readonly streamId: string
  /** All entries ever made for this log after a sequence number. */
  readonly after: (seq: number) => readonly LogEntry[]
  /** Saves the answer; resolves to whether this replica still owns it, and rejects when that cannot be determined. */
  readonly isOurs: () => Promise<boolean>
}

/**
 * A log that refuses entries was forgotten by its engine, is unreachable, or was closed by the replica that took the answer over: the store knows which.
 * While the answer is still ours, the log is brought up to date as soon as possible, from its first entry on if need be.
 */
export function createLogWriter({ log, streamId, after, isOurs }: LogWriterOptions) {
  const closing = new AbortController()
  let queue: LogEntry[] = []
  /** The number of the last entry known to be in the log. */
  let written = 0
  let pumping: Promise<void> | undefined
  let isLost = false
  let lost = Promise.withResolvers<void>()
  const append = async (entries: readonly LogEntry[]): Promise<boolean> => {
    const appended = await log.append(streamId, entries).catch(() => false)
    if (appended) written += entries.length
    return appended
  }
  const fill = async (): Promise<boolean> => {
    for (let missing = after(written); missing.length > 0; missing = after(written)) {
      if (!(await append(missing.slice(0, chunk)))) return false
    }
    // Entries that arrived meanwhile were part of `after` when they were queued, so they are in the log as well.
    queue = []
    return true
  }
  const catchUp = async (): Promise<boolean> => {
    const state = await log.state(streamId)
    if (state?.closed) return false
    // An append that seemed to fail may have been done after all.
    written = state?.lastSeq ?? 0
    return await fill()
  }
  const repair = async (): Promise<void> => {
    lost.resolve()
    for (let pause = retryMs.first; !closing.signal.aborted; pause = Math.min(2 * pause, retryMs.most)) {
      const ours = await isOurs().catch(() => undefined)
      isLost = ours === false
      if (isLost) return
      if (ours === true && (await catchUp().catch(() => false))) {
        lost = Promise.withResolvers()
        return
      }
      await delay(pause, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const pump = async (): Promise<void> => {
    while (queue.length > 0 && !isLost && !closing.signal.aborted) {
      const batch = queue
      queue = []
      if (!(await append(batch))) await repair()
    }
    pumping = undefined
  }
  return {
    write(entries: readonly LogEntry[]): void {
      queue.push(...entries)
      pumping ??= pump()
    },
    /** Resolves once all that was written is in the log, or the log cannot be had now: then readers go to the store. */
    settled: (): Promise<void> => Promise.race([pumping, lost.promise]),
    /** Writes what the log lacks, if it can be had, and closes it. Never rejects: a log that cannot be closed expires by itself. */
    async close(): Promise<void> {
      closing.abort()
      await pumping
      if (!isLost && !(await fill())) await catchUp().catch(() => false)
      await log.close(streamId).catch(() => undefined)
    },
  }
}
