import { createFreshValue } from '@parley/kit'

/** A sample is good for this long: two clocks that run differ by far less than a millisecond in it. */
const freshMs = 10_000
/** A round trip within this is good enough; else the fastest of a few is taken. Milliseconds. */
const fastMs = 250
const samples = 3

interface Sample {
  readonly serverMs: number
  /** By the process's monotonic clock, when the query was sent. */
  readonly at: number
  readonly tookMs: number
}

/** The bounds on the server's time: it lies between the two, which are one round trip apart. */
export interface ServerTime {
  readonly earliest: Date
  readonly latest: Date
}

/**
 * The server's clock, told by asking it now and then and counting on with the process's monotonic clock in between: a host whose own clock is
 * minutes off, or is set while it runs, tells the same time as the others.
 * @param ask resolves to the server's time
 */
export function createServerClock(ask: () => Promise<Date>): () => Promise<ServerTime> {
  const current = createFreshValue<Sample>({ maxAgeMs: freshMs })
  const take = async (): Promise<Sample> => {
    const before = performance.now()
    const server = await ask()
    const tookMs = performance.now() - before
    return { serverMs: server.getTime(), at: before, tookMs }
  }
  const measure = async (): Promise<Sample> => {
    let best = await take()
    for (let more = samples - 1; more > 0 && best.tookMs > fastMs; more -= 1) {
      const sample = await take()
      if (sample.tookMs < best.tookMs) best = sample
    }
    return best
  }
  return async () => {
    const { serverMs, at, tookMs } = await current.get(measure)
    const latest = serverMs + performance.now() - at
    return { earliest: new Date(latest - tookMs), latest: new Date(latest) }
  }
}
