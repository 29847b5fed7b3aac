import type { LogEntry } from '@parley/cache'
import { type StreamEvent, streamEnd } from '@parley/contracts'
import type { Ending, Generation } from '../store/documents.ts'
import { eventLine } from './event-line.ts'
import { deltaLine, deltasOf } from './transcript.ts'

/** The data of the last events of an answer's stream. */
export function terminalLines(messageId: string, ending: Ending): string[] {
  const { failure, finishReason, usage, credits } = ending
  const event: StreamEvent = failure ?? { done: true, messageId, finishReason, usage, credits }
  return [eventLine(event), streamEnd]
}

/**
 * The stream of an ended answer after `afterSeq`, from the store: the entries that its log had, to the byte. A reader that has seen more than was
 * saved gets the last events, numbered on from there.
 */
export function replay(generation: Generation, afterSeq: number): LogEntry[] {
  if (generation.ending === null) return []
  const before = [...generation.opening.map(eventLine), ...deltasOf(generation).map(deltaLine)]
  const terminal = terminalLines(generation.id, generation.ending)
  if (afterSeq >= before.length + terminal.length)
    return afterSeq === before.length + terminal.length ? [] : numbered(terminal, afterSeq)
  return numbered([...before, ...terminal], 0).slice(afterSeq)
}

const numbered = (lines: readonly string[], after: number): LogEntry[] =>
  lines.map((data, index) => ({ seq: after + index + 1, data }))
