import type { Connection } from '../sockets/connection.ts'
import type { Answer } from './answer.ts'

/** Acts that may wait for one connection; more is not caught up with. */
const mostHeld = 1_000

/** A connection within a chat: a queue of what is sent to it, in the order in which it happened. */
export interface Member {
  readonly connection: Connection
  /** From now on everything waits, as the chat's state is being read. Returns the number of that read. */
  hold(): number
  /** Whether that read is still the last one. */
  isLast(turn: number): boolean
  /** Sends what waited. @param read the answer that is being made, and up to which number it is known */
  release(read?: { readonly answer: Answer; readonly seq: number }): void
  /** Runs the act after everything queued before it. */
  enqueue(act: () => void): void
  /** As `enqueue`, but after the end of that answer, if it is being read. */
  enqueueAfter(messageId: string, act: () => void): void
  /** Reads an answer from its start, after the one that is being read; passed over when it is being or has been read. */
  follow(answer: Answer): void
  /** Whether the answer with this stream is being or has been read. */
  isReading(streamId: string): boolean
  /** Sends what the answer's log has got since. */
  pump(answer: Answer): void
}

interface Reading {
  readonly answer: Answer
  seq: number
  isWaiting: boolean
  readonly after: (() => void)[]
}

/** Holds what happens until `release`. */
export function createMember(connection: Connection): Member {
  let turn = 0
  let held: (() => void)[] | undefined = []
  let reading: Reading | undefined
  const seen = new Set<string>()
  const enqueue = (act: () => void): void => {
    if (held === undefined) act()
    else if (held.push(act) > mostHeld) connection.end('unavailable')
  }
  const advance = (): void => {
    const current = reading
    if (current === undefined || current.isWaiting) return
    const { emissions, hasEnded } = current.answer
    while (current.seq < emissions.length) {
      if (!connection.isOpen()) return
      if (!connection.hasRoom()) {
        current.isWaiting = true
        connection.onRoom(() => {
          current.isWaiting = false
          if (reading === current) advance()
        })
        return
      }
      const next = emissions[current.seq]
      current.seq += 1
      next?.(connection)
    }
    if (!hasEnded()) return
    reading = undefined
    for (const act of current.after) act()
  }
  const read = (answer: Answer, seq: number, after: (() => void)[] = []): void => {
    seen.add(answer.streamId)
    reading = { answer, seq, isWaiting: false, after }
    advance()
  }
  const follow = (answer: Answer): void => {
    if (reading !== undefined) reading.after.push(() => follow(answer))
    else if (!seen.has(answer.streamId)) read(answer, 0)
  }
  return {
    connection,
    hold() {
      held ??= []
      turn += 1
      return turn
    },
    isLast: (asked) => asked === turn,
    release(from) {
      const unsaid = reading?.after ?? []
      reading = undefined
      if (from !== undefined) read(from.answer, from.seq, unsaid)
      const waited = [...(from === undefined ? unsaid : []), ...(held ?? [])]
      held = undefined
      for (const act of waited) act()
    },
    enqueue,
    enqueueAfter(messageId, act) {
      enqueue(() => {
        if (reading?.answer.messageId === messageId) reading.after.push(act)
        else act()
      })
    },
    follow: (answer) => enqueue(() => follow(answer)),
    isReading: (streamId) => seen.has(streamId),
    pump(answer) {
      if (reading?.answer === answer) advance()
    },
  }
}
