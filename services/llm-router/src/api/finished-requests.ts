import type { EventOf } from '@parley/contracts'
import { type Logger, retryWithBackoff } from '@parley/kit'

/** An answer's end waits for its record no longer than this. Milliseconds. */
const patienceMs = 2_000

type Finished = EventOf<'llm-router.request-finished'>

/** Records the ends of requests, those together that come together. */
export interface FinishedRequests {
  /** Resolves when the event is written, or after a moment in which that was not possible; then it is tried until it succeeds. */
  record(event: Finished): Promise<void>
  /** Resolves when all are written, or after a moment. */
  stop(): Promise<void>
}

/** @param write writes events, all or none */
export function createFinishedRequests(
  write: (events: readonly Finished[]) => Promise<void>,
  log: Logger,
): FinishedRequests {
  const stopping = new AbortController()
  let waiting: Finished[] = []
  let writing: Promise<unknown> = Promise.resolve()
  /** The write that those who wait now are part of. */
  let next: Promise<unknown> | undefined
  const flush = async (): Promise<void> => {
    next = undefined
    const events = waiting
    waiting = []
    if (events.length === 0) return
    const act = (): Promise<void> => write(events)
    await retryWithBackoff({ what: 'ends of requests are recorded', act, log, signal: stopping.signal })
  }
  const enqueue = (event: Finished): Promise<unknown> => {
    waiting.push(event)
    next ??= writing = writing.then(flush)
    return next
  }
  return {
    record: (event) => atMost(enqueue(event)),
    async stop() {
      await atMost(writing)
      stopping.abort()
    },
  }
}

async function atMost(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([work, patience])
  clearTimeout(timer)
}
