import { type Logger, pause } from '@parley/kit'

/** A job that runs again and again. */
export interface Job {
  readonly name: string
  /** Milliseconds from the end of one run to the next. */
  readonly everyMs: number
  /** @param stopping aborts when the job is to come to its end soon */
  run(stopping: AbortSignal): Promise<void>
}

/** Jobs that run. */
export interface Housekeeping {
  /** Resolves when no job runs any more. Idempotent. */
  stop(): Promise<void>
}

/**
 * Runs each job in its own period: no job waits for another one, and one that fails is logged and runs again. The first one runs now; the others begin
 * spread over their periods, so that they seldom take a connection each at the same time.
 */
export function startHousekeeping(jobs: readonly Job[], log: Logger): Housekeeping {
  const end = new AbortController()
  const stopping = end.signal
  const repeat = async ({ name, everyMs, run }: Job, index: number): Promise<void> => {
    if (index > 0) await pause((everyMs * index) / jobs.length, stopping)
    while (!stopping.aborted) {
      await run(stopping).catch((error: unknown) => log.error({ err: error, job: name }, 'a housekeeping job failed'))
      await pause(everyMs, stopping)
    }
  }
  const running = Promise.all(jobs.map(repeat))
  return {
    async stop() {
      end.abort()
      await running
    },
  }
}
