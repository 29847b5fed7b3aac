import type { LogEntry } from '@parley/cache'
import type { StreamEvent } from '@parley/contracts'
import type { Clock } from '@parley/kit'
import type { NewGeneration, Progress, Seed } from '../store/entities.ts'
import { eventLine } from './event-line.ts'
import { searchOf } from './search-of.ts'

/** A piece of an answer's words. */
export interface Delta {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}
/** A piece of an answer as it is streamed: words, or an event of a tool. */
export type Piece = Delta | { readonly kind: 'event'; readonly event: StreamEvent }

/** The content of an answer so far, and the numbering of its stream. Entries must be appended in the order in which they were made. */
export type Transcript = ReturnType<typeof createTranscript>

/** For an answer that begins. */
const nothing: Seed = { content: '', reasoning: '', reasoningMs: 0, events: [], search: null, attachments: [] }

/** A transcript that starts with the fixed values only, or with the content so far of an answer that is continued. */
export function createTranscript(
  generation: Pick<NewGeneration, 'model' | 'price' | 'opening'>,
  now: Clock,
  seed: Seed = nothing,
) {
  let { model, price, opening } = generation
  let { content, reasoning } = seed
  let promptTokens = 0
  let thoughtFrom: number | undefined
  let thoughtTo: number | undefined
  let version = 0
  let lastSeq = 0
  let last: readonly string[] = []
  const first = seedPieces(seed)
  const frames = first.map(frameOf)
  const events = [...seed.events]
  const next = (lines: readonly string[]): LogEntry[] => {
    const entries = numbered(lines, lastSeq)
    lastSeq += lines.length
    return entries
  }
  return {
    /** The events before any text; to be called once, before the first `add`. */
    open(opened: Pick<Progress, 'model' | 'price' | 'opening'>): LogEntry[] {
      ;({ model, price, opening } = opened)
      version += 1
      return next([...opening.map(eventLine), ...first.map(pieceLine)])
    },
    /** Collected pieces, as one entry each. */
    add(pieces: readonly Piece[]): LogEntry[] {
      for (const piece of pieces) {
        if (piece.kind === 'event') events.push(piece.event)
        else if (piece.kind === 'text') {
          content += piece.text
          if (thoughtFrom !== undefined) thoughtTo ??= now().getTime()
        } else {
          reasoning += piece.text
          thoughtFrom ??= now().getTime()
        }
        frames.push(frameOf(piece))
      }
      version += 1
      return next(pieces.map(pieceLine))
    },
    /** Notes who answers, when that turns out after it was opened. */
    answeredBy(by: Pick<Progress, 'model' | 'price'>): void {
      ;({ model, price } = by)
      version += 1
    },
    /** The last events; to be called once, nothing is added from then on. */
    end(lines: readonly string[]): void {
      last = lines
      lastSeq += lines.length
    },
    /** All entries after `seq` that there are, to the byte. */
    after(seq: number): LogEntry[] {
      // There are no entries before the stream is opened, whatever the opening may become.
      if (seq >= lastSeq) return []
      return numbered([...linesOf({ opening, content, reasoning, frames, events }), ...last].slice(seq), seq)
    },
    notePrompt(tokens: number): void {
      promptTokens = tokens
    },
    progress(): Progress {
      const thought = thoughtFrom === undefined ? 0 : (thoughtTo ?? now().getTime()) - thoughtFrom
      // A clock that is set back must not give a negative time.
      const reasoningMs = seed.reasoningMs + Math.max(0, thought)
      const search = searchOf(events) ?? seed.search
      return {
        ...{ content, reasoning, frames: [...frames], events: [...events], search, attachments: seed.attachments },
        ...{ model, price, opening, promptTokens, reasoningMs },
      }
    },
    /** Grows with every change. */
    version: (): number => version,
  }
}

/** UTF-16 units of one piece of what there was. */
const seedPieceLength = 8_192

/** The content so far of an answer, as the pieces that its stream begins with. */
const seedPieces = ({ content, reasoning, events }: Seed): readonly Piece[] => [
  ...cut(reasoning).map((text) => ({ kind: 'reasoning', text }) as const),
  ...events.map((event) => ({ kind: 'event', event }) as const),
  ...cut(content).map((text) => ({ kind: 'text', text }) as const),
]

function cut(text: string): string[] {
  const pieces: string[] = []
  for (let rest = text; rest !== ''; ) {
    // Both halves of a character stay together.
    const length = /[\ud800-\udbff]/.test(rest[seedPieceLength - 1] ?? '') ? seedPieceLength - 1 : seedPieceLength
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return pieces
}

/** Lines as the entries that follow entry `after`. */
export const numbered = (lines: readonly string[], after: number): LogEntry[] =>
  lines.map((data, index) => ({ seq: after + index + 1, data }))

type Streamed = Pick<Progress, 'opening' | 'content' | 'reasoning' | 'frames' | 'events'>

/** The lines of an answer's stream before its last events. */
export const linesOf = (progress: Streamed): string[] => [
  ...progress.opening.map(eventLine),
  ...piecesOf(progress).map(pieceLine),
]

/** The recorded form of a piece: its length, or 0 for an event. */
export function frameOf(piece: Piece): number {
  if (piece.kind === 'event') return 0
  return piece.kind === 'text' ? piece.text.length : -piece.text.length
}

/** A piece as its stream event; keys and their order are the wire's. */
function pieceLine(piece: Piece): string {
  if (piece.kind === 'event') return eventLine(piece.event)
  const { kind, text } = piece
  return JSON.stringify((kind === 'text' ? { text } : { reasoning: text }) satisfies StreamEvent)
}

/** The pieces that were streamed, cut out of the whole text. */
function piecesOf({ content, reasoning, frames, events }: Streamed): Piece[] {
  let textAt = 0
  let reasoningAt = 0
  let eventAt = 0
  return frames.flatMap((frame): Piece[] => {
    if (frame === 0) {
      const event = events[eventAt]
      eventAt += 1
      return event === undefined ? [] : [{ kind: 'event', event }]
    }
    if (frame > 0) {
      textAt += frame
      return [{ kind: 'text', text: content.slice(textAt - frame, textAt) }]
    }
    reasoningAt -= frame
    return [{ kind: 'reasoning', text: reasoning.slice(reasoningAt + frame, reasoningAt) }]
  })
}
