import type { LogEntry } from '@parley/cache'
import type { StreamEvent } from '@parley/contracts'
import type { Clock } from '@parley/kit'
import type { NewGeneration, Progress } from '../store/documents.ts'
import { eventLine } from './event-line.ts'

/** A piece of an answer. */
export interface Delta {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

/** What an answer has come to, and the numbering of its stream. Entries that it makes are to be appended in the order they were made. */
export interface Transcript {
  /** The events before any text; to be called once, before the first `add`. */
  open(opened: Pick<Progress, 'model' | 'price' | 'opening'>): LogEntry[]
  /** Collected pieces, as one entry each. */
  add(deltas: readonly Delta[]): LogEntry[]
  /** The last events; to be called once, nothing is added from then on. */
  end(lines: readonly string[]): void
  /** All entries after `seq` that there are, to the byte. */
  after(seq: number): LogEntry[]
  notePrompt(tokens: number): void
  progress(): Progress
  /** Grows with every change. */
  version(): number
}

/** A transcript that starts with nothing but what is fixed. */
export function createTranscript(
  generation: Pick<NewGeneration, 'model' | 'price' | 'opening'>,
  now: Clock,
): Transcript {
  let { model, price, opening } = generation
  let content = ''
  let reasoning = ''
  let promptTokens = 0
  let thoughtFrom: number | undefined
  let thoughtTo: number | undefined
  let version = 0
  let lastSeq = 0
  let last: readonly string[] = []
  const frames: number[] = []
  const next = (lines: readonly string[]): LogEntry[] => {
    const entries = numbered(lines, lastSeq)
    lastSeq += lines.length
    return entries
  }
  return {
    open(opened) {
      ;({ model, price, opening } = opened)
      version += 1
      return next(opening.map(eventLine))
    },
    add(deltas) {
      for (const { kind, text } of deltas) {
        if (kind === 'text') {
          content += text
          if (thoughtFrom !== undefined) thoughtTo ??= now().getTime()
        } else {
          reasoning += text
          thoughtFrom ??= now().getTime()
        }
        frames.push(kind === 'text' ? text.length : -text.length)
      }
      version += 1
      return next(deltas.map(deltaLine))
    },
    end(lines) {
      last = lines
      lastSeq += lines.length
    },
    after(seq) {
      // Before it is opened there are none, whatever the opening may become.
      if (seq >= lastSeq) return []
      return numbered([...linesOf({ opening, content, reasoning, frames }), ...last].slice(seq), seq)
    },
    notePrompt(tokens) {
      promptTokens = tokens
    },
    progress() {
      const thought = thoughtFrom === undefined ? 0 : (thoughtTo ?? now().getTime()) - thoughtFrom
      // A clock that is set back must not give a negative time.
      const reasoningMs = Math.max(0, thought)
      return { content, reasoning, frames: [...frames], model, price, opening, promptTokens, reasoningMs }
    },
    version: () => version,
  }
}

/** Lines as the entries that follow entry `after`. */
export const numbered = (lines: readonly string[], after: number): LogEntry[] =>
  lines.map((data, index) => ({ seq: after + index + 1, data }))

/** The lines of an answer's stream before its last events. */
export const linesOf = (progress: Pick<Progress, 'opening' | 'content' | 'reasoning' | 'frames'>): string[] => [
  ...progress.opening.map(eventLine),
  ...deltasOf(progress).map(deltaLine),
]

/** A piece as its stream event; keys and their order are the wire's. */
const deltaLine = ({ kind, text }: Delta): string =>
  JSON.stringify((kind === 'text' ? { text } : { reasoning: text }) satisfies StreamEvent)

/** The pieces that were streamed, cut out of the whole text. */
function deltasOf({ content, reasoning, frames }: Pick<Progress, 'content' | 'reasoning' | 'frames'>): Delta[] {
  let textAt = 0
  let reasoningAt = 0
  return frames.map((frame) => {
    if (frame > 0) {
      textAt += frame
      return { kind: 'text', text: content.slice(textAt - frame, textAt) }
    }
    reasoningAt -= frame
    return { kind: 'reasoning', text: reasoning.slice(reasoningAt + frame, reasoningAt) }
  })
}
