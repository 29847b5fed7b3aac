import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@parley/kit'

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

/** Runs each job now and again in its own period: no job waits for another one, and one that fails is logged and runs again. */
export function startHousekeeping(jobs: readonly Job[], log: Logger): Housekeeping {
  const end = new AbortController()
  const stopping = end.signal
  const repeat = async ({ name, everyMs, run }: Job): Promise<void> => {
    while (!stopping.aborted) {
      await run(stopping).catch((error: unknown) => log.error({ err: error, job: name }, 'a housekeeping job failed'))
      // Only the stop ends a pause early.
      await delay(everyMs, undefined, { signal: stopping }).catch(() => undefined)
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
