import type { LogEntry } from '../ports.ts'
import type { LogEnd } from './redis-log-end.ts'

/** What is kept of a log that is being read, at most; a reader further behind reads from the engine. */
const keptAppends = 16
const keptCharacters = 64 * 1024

/** The end of one log as this replica hears it; shared by the log's readers here. */
export interface Tail {
  /** Where the log is known to end. */
  end(): LogEnd
  /** The log will not be continued: it expired, or is lost with its engine. */
  isGone(): boolean
  /** The entries right after `seq`, when they were heard and are still kept. */
  after(seq: number): readonly LogEntry[]
  /** Takes what was published: entries, or that the log was closed. */
  hear(message: string): void
  /**
   * Takes what the engine says of the log.
   * @param found undefined when there is no such log
   * @param asked where the log was known to end when the engine was asked
   */
  learn(found: LogEnd | undefined, asked: LogEnd): void
  /** Whether anything was heard since this was last asked. */
  takeHeard(): boolean
  /** Calls `wake` once when anything has changed. */
  wait(wake: () => void): void
}

interface Append {
  readonly seq: number
  readonly data: readonly string[]
  readonly characters: number
}

/** The tail of a log of which nothing was heard yet. */
export function createTail(): Tail {
  const kept: Append[] = []
  const waiting = new Set<() => void>()
  let end: LogEnd = { lastSeq: 0, closed: false }
  let gone = false
  let heard = false
  const changed = (): void => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const reach = (lastSeq: number, closed: boolean): void => {
    end = { lastSeq: Math.max(end.lastSeq, lastSeq), closed: end.closed || closed }
  }
  return {
    end: () => end,
    isGone: () => gone,
    after(seq) {
      const append = kept.find((one) => one.seq <= seq + 1 && seq + 1 < one.seq + one.data.length)
      if (append === undefined) return []
      return append.data.map((data, index) => ({ seq: append.seq + index, data })).slice(seq + 1 - append.seq)
    },
    hear(message) {
      heard = true
      const said = JSON.parse(message) as { seq: number; data: string[] } | { closedAfter: number }
      if ('closedAfter' in said) reach(said.closedAfter, true)
      else {
        kept.push({ ...said, characters: message.length })
        let characters = kept.reduce((sum, one) => sum + one.characters, 0)
        while (kept.length > keptAppends || characters > keptCharacters) characters -= kept.shift()?.characters ?? 0
        reach(said.seq + said.data.length - 1, false)
      }
      changed()
    },
    learn(found, asked) {
      // A log that is shorter than it was, or open again, is another one: an engine without its data.
      const isOther = found === undefined || found.lastSeq < asked.lastSeq || (asked.closed && !found.closed)
      const isNew = found !== undefined && (found.lastSeq > end.lastSeq || (found.closed && !end.closed))
      if (found !== undefined) reach(found.lastSeq, found.closed)
      gone = isOther
      if (isOther || isNew) changed()
    },
    takeHeard() {
      const was = heard
      heard = false
      return was
    },
    wait: (wake) => void waiting.add(wake),
  }
}
