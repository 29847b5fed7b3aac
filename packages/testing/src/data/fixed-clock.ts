import type { NewId } from '@parley/kit'

export type FixedClock = ReturnType<typeof fixedClock>

/** A clock that only moves when advanced, at `start`; by default noon of 1 January 2030, UTC. */
export function fixedClock(start = new Date('2030-01-01T12:00:00.000Z')) {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    /** Advances it by milliseconds. */
    advance(ms: number): void {
      at += ms
    },
    set(to: Date): void {
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
