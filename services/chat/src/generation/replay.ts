import type { LogEntry } from '@parley/cache'
import { type StreamEvent, streamEnd } from '@parley/contracts'
import type { Ending, Generation } from '../store/entities.ts'
import { eventLine } from './event-line.ts'
import { linesOf, numbered } from './transcript.ts'

/** The data of the last events of an answer's stream. */
export function terminalLines(messageId: string, ending: Ending): string[] {
  const { failure, finishReason, usage, credits } = ending
  const event: StreamEvent = failure ?? { done: true, messageId, finishReason, usage, credits }
  return [eventLine(event), streamEnd]
}

/** True once an answer can be read from the store: it is first saved when it is opened. Before, the opening may still become another one. */
export const isOpened = ({ promptTokens }: Pick<Generation, 'promptTokens'>): boolean => promptTokens > 0

/** For how long an answer that has ended is replayed, in milliseconds. */
export const replayedMs = 24 * 60 * 60 * 1000

/** True while an answer can be resumed: it runs, or ended less than a day ago. From then on it is in the history only. */
export function isReplayed(answer: Pick<Generation, 'createdAt' | 'continued' | 'ending'>, now: Date): boolean {
  const { createdAt, continued, ending } = answer
  if (ending === null) return true
  const begunMs = continued === null ? createdAt.getTime() : Date.parse(continued.begunAt)
  return now.getTime() - begunMs - ending.durationMs < replayedMs
}

/** True for the line of an event that says how an answer ended. */
export const isTerminal = (line: string): boolean => line.startsWith('{"done":') || line.startsWith('{"error":')

/**
 * The stream of an answer after `afterSeq`, rebuilt from the store: byte for byte the entries that its log has or had, as far as they were saved. An ended
 * answer is replayed to its end, and a reader that has seen more than was saved gets the final events, numbered on from there.
 */
export function replay(generation: Generation, afterSeq: number): LogEntry[] {
  const { id, ending } = generation
  if (ending === null) return isOpened(generation) ? numbered(linesOf(generation).slice(afterSeq), afterSeq) : []
  const before = linesOf(generation)
  const terminal = terminalLines(id, ending)
  // An incomplete answer may have delivered more than was saved, so its final events may reuse numbers that text had.
  const hasTerminal = ending.outcome === 'complete' && afterSeq === before.length + 1
  if (afterSeq > before.length && !hasTerminal) return numbered(terminal, afterSeq)
  return numbered([...before, ...terminal].slice(afterSeq), afterSeq)
}
