import type { Logger } from '@parley/kit'
import type { SweepStore } from './store/sweep-store.ts'

const hourMs = 3_600_000

/** Forgets what is over, hourly unless told, from `start` until `stop`. Several replicas may sweep at once. */
export function createSweeper(sweeps: SweepStore, log: Logger, everyMs = hourMs) {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined
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
        // One that takes longer than that is not begun anew.
        sweeping ??= sweep().finally(() => {
          sweeping = undefined
        })
      }, everyMs)
      timer.unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
