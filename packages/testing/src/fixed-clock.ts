import type { Clock, NewId } from '@parley/kit'

/** A clock that stands still until it is told otherwise. */
export interface FixedClock {
  readonly now: Clock
  /** Moves it by milliseconds. */
  advance(ms: number): void
  set(at: Date): void
}

/** A clock that stands at `start`, noon of the first day of 2030 UTC unless told. */
export function fixedClock(start = new Date('2030-01-01T12:00:00.000Z')): FixedClock {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    advance(ms) {
      at += ms
    },
    set(to) {
      at = to.getTime()
    },
  }
}

/** Ids that count up: `<prefix>-1`, `<prefix>-2`, … */
export function countedIds(prefix = 'id'): NewId {
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last}`
  }
}
