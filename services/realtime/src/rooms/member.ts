import type { Connection } from '../sockets/connection.ts'
import type { Answer } from './answer.ts'

/** Queued acts of one connection, beyond which it is closed. */
const mostHeld = 1_000

/** A connection in a chat, with a FIFO queue of the events to send. */
export type Member = ReturnType<typeof createMember>

interface Reading {
  readonly answer: Answer
  seq: number
  isWaiting: boolean
  readonly after: (() => void)[]
}

/** Queues everything until `release`. */
export function createMember(connection: Connection) {
  let turn = 0
  let held: (() => void)[] | undefined = []
  let reading: Reading | undefined
  let muted = false
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
    else if (!muted && !seen.has(answer.streamId)) read(answer, 0)
  }
  return {
    connection,
    /** Queues all events while the chat's state is being read. Returns the number of that read. */
    hold(): number {
      held ??= []
      turn += 1
      return turn
    },
    /** Whether that read is still the latest. */
    isLast: (asked: number): boolean => asked === turn,
    /** Sends the queued events. @param from the running answer, and the last of its events that the client has */
    release(from?: { readonly answer: Answer; readonly seq: number }): void {
      const unsaid = reading?.after ?? []
      reading = undefined
      if (from !== undefined) read(from.answer, from.seq, unsaid)
      const waited = [...(from === undefined ? unsaid : []), ...(held ?? [])]
      held = undefined
      for (const act of waited) act()
    },
    /** Whether events of running answers are held back. */
    isMuted: () => muted,
    setMuted(next: boolean): void {
      muted = next
      if (!muted) return
      const after = reading?.after ?? []
      reading = undefined
      for (const act of after) act()
    },
    /** Runs the act after everything queued before it. */
    enqueue,
    /** Like `enqueue`, but after the end of that answer if it is being read. */
    enqueueAfter(messageId: string, act: () => void): void {
      enqueue(() => {
        if (reading?.answer.messageId === messageId) reading.after.push(act)
        else act()
      })
    },
    /** Reads an answer from its start, after the current one; ignored if it is being read or was read before, or if muted. */
    follow: (answer: Answer): void => enqueue(() => follow(answer)),
    /** Whether the answer of this stream is being read or was read. */
    isReading: (streamId: string): boolean => seen.has(streamId),
    /** Sends the new entries of the answer's log. */
    pump(answer: Answer): void {
      if (reading?.answer === answer) advance()
    },
  }
}
