import type { Logger } from '@parley/kit'
import type { SweepStore } from './store/sweep-store.ts'

const everyMs = 3_600_000

/** Forgets what is over, hourly, from `start` until `stop`. Several replicas may sweep at once. */
export function createSweeper(sweeps: SweepStore, log: Logger) {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  const sweep = async (): Promise<void> => {
    try {
      await sweeps.sweep()
    } catch (error) {
      log.error({ err: error }, 'sweep failed; the next one tries again')
    }
  }
  return {
    start(): void {
      timer = setInterval(() => {
        sweeping = sweep()
      }, everyMs)
      timer.unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
