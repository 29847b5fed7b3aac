import type { Logger } from '@parley/kit'

/** Jobs that run again and again. */
export interface Housekeeping {
  /** Resolves when no job runs any more. Idempotent. */
  stop(): Promise<void>
}

/**
 * Runs the jobs one after another now and every `everyMs`, each round after the last one ended. A job that fails is logged and runs again in the
 * next round.
 */
export function startHousekeeping(jobs: readonly (() => Promise<void>)[], everyMs: number, log: Logger): Housekeeping {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const round = async (): Promise<void> => {
    for (const job of jobs) {
      if (stopped) return
      await job().catch((error: unknown) => log.error({ err: error }, 'a housekeeping job failed'))
    }
    if (!stopped) timer = setTimeout(next, everyMs)
  }
  let running: Promise<void> = Promise.resolve()
  const next = (): void => {
    running = round()
  }
  next()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
