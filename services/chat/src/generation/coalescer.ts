import { sanitizedText } from '../text/sanitize.ts'
import type { Delta } from './transcript.ts'

/** Collects pieces for a short time. */
export type Coalescer = ReturnType<typeof createCoalescer>

/**
 * Coalesces pieces of text over a short time, so that many small ones become one event: emits them at once after a pause, else `waitMs` after the last
 * time. Pieces of one kind are joined; what cannot be stored (NUL, half characters) becomes the replacement character.
 */
export function createCoalescer(waitMs: number, emit: (deltas: readonly Delta[]) => void) {
  let waiting: Delta[] = []
  let timer: NodeJS.Timeout | undefined
  let emittedAt = Number.NEGATIVE_INFINITY
  const emitAll = (): void => {
    clearTimeout(timer)
    timer = undefined
    const deltas = waiting.map(sanitized).filter(({ text }) => text !== '')
    waiting = []
    if (deltas.length > 0) emit(deltas)
  }
  const emitWhole = (): void => {
    const last = waiting.at(-1)
    const half = last === undefined ? '' : trailingHalf(last.text)
    // The other half of a character comes with the next piece.
    if (last !== undefined && half !== '') waiting[waiting.length - 1] = { ...last, text: last.text.slice(0, -1) }
    emitAll()
    if (last !== undefined && half !== '') waiting = [{ ...last, text: half }]
  }
  const later = (): void => {
    timer = undefined
    emittedAt = performance.now()
    emitWhole()
  }
  return {
    add(delta: Delta): void {
      const last = waiting.at(-1)
      if (last?.kind === delta.kind) waiting[waiting.length - 1] = { ...last, text: last.text + delta.text }
      else waiting.push(delta)
      if (timer !== undefined) return
      const waited = performance.now() - emittedAt
      if (waited >= waitMs) later()
      else timer = setTimeout(later, waitMs - waited)
    },
    /** Emits all that is left, complete or not. */
    flush: emitAll,
  }
}

const trailingHalf = (text: string): string => /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''

const sanitized = ({ kind, text }: Delta): Delta => ({ kind, text: sanitizedText(text) })
