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
