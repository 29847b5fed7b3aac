import type { EventOf } from '@parley/contracts'
import { createBatches, type Logger, retryWithBackoff, withTimeout } from '@parley/kit'

/** Maximum milliseconds for which the end of an answer waits until it is recorded. */
const patienceMs = 2_000
/** Maximum size of a batch, and milliseconds to wait for more while several ends arrive at once. */
const together = { most: 500, gatherMs: 4 }

type Finished = EventOf<'llm-router.request-finished'>

/** Records the ends of requests in batches. */
export type FinishedRequests = ReturnType<typeof createFinishedRequests>

/** @param write writes events, all or none */
export function createFinishedRequests(write: (events: readonly Finished[]) => Promise<void>, log: Logger) {
  const stopping = new AbortController()
  const unwritten = new Set<Promise<void>>()
  const add = createBatches<Finished>(async (batch) => {
    const act = (): Promise<void> => write(batch.map(({ item }) => item))
    await retryWithBackoff({ what: 'ends of requests are recorded', act, log, signal: stopping.signal })
    for (const { resolve } of batch) resolve()
  }, together)
  return {
    /** Resolves when the event is written, or after a timeout; the write is then retried until it succeeds. */
    record(event: Finished): Promise<void> {
      const written = add(event)
      unwritten.add(written)
      return atMost(written.finally(() => unwritten.delete(written)))
    },
    /** Resolves when all are written, or after a timeout. */
    async stop(): Promise<void> {
      await atMost(Promise.all(unwritten))
      stopping.abort()
    },
  }
}

const atMost = (work: Promise<unknown>): Promise<void> =>
  withTimeout(patienceMs, work).then(
    () => undefined,
    () => undefined,
  )
