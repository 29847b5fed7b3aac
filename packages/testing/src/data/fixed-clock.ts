import type { Clock, NewId } from '@parley/kit'

/** A clock that only moves when advanced. */
export interface FixedClock {
  readonly now: Clock
  /** Advances it by milliseconds. */
  advance(ms: number): void
  set(at: Date): void
}

/** A clock at `start`; by default noon of 1 January 2030, UTC. */
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

/** Sequential ids: `<prefix>-1`, `<prefix>-2`, … */
export function countedIds(prefix = 'id'): NewId {
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last}`
  }
}
