import type { Logger } from '../observability/log.ts'
import { createWakeup } from './wakeup.ts'

export interface PeriodicOptions {
  /** The job's name in the log. */
  readonly name: string
  /** Milliseconds from the start to the first run; one period by default. */
  readonly firstMs?: number
  readonly log: Logger
}

export type Periodic = ReturnType<typeof every>

/**
 * Runs a job again and again, from `start` until `stop`, never twice at once; a run that fails is logged.
 * @param ms from the end of one run to the next
 * @param job its signal aborts when it should end soon
 */
export function every(
  ms: number,
  job: (stopping: AbortSignal) => Promise<unknown>,
  { name, firstMs = ms, log }: PeriodicOptions,
) {
  const stopping = new AbortController()
  const wakeup = createWakeup()
  let running: Promise<void> | undefined
  const repeat = async (): Promise<void> => {
    if (firstMs > 0) await wakeup.wait(firstMs)
    while (!stopping.signal.aborted) {
      await job(stopping.signal).catch((error: unknown) => {
        log.error({ err: error, job: name }, 'a periodic job failed; its next run tries again')
      })
      await wakeup.wait(ms)
    }
  }
  return {
    start(): void {
      running ??= repeat()
    },
    /** No run begins any more; resolves when the one under way has ended. Idempotent, and for good. */
    async stop(): Promise<void> {
      stopping.abort()
      wakeup.wake()
      await running
    },
  }
}
