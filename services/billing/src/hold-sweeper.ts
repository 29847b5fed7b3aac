import type { Logger } from '@parley/kit'
import type { CreditStore } from './store/credit-store.ts'

/** Milliseconds. */
export interface SweepTimes {
  /** Until the first sweep: holds could not be renewed while billing was away, so their owners get this long. */
  readonly firstMs: number
  readonly everyMs: number
}
const usualTimes: SweepTimes = { firstMs: 30_000, everyMs: 5_000 }
const batch = 100

/** What sweeping uses. */
export interface HoldSweeperDeps {
  readonly credits: Pick<CreditStore, 'releaseExpired' | 'forgetOver'>
  /** Days that holds are kept after they were over. */
  readonly retentionDays: number
  readonly log: Logger
  readonly times?: SweepTimes | undefined
}

/** Gives back the holds of dead generations and forgets old ones, from `start` until `stop`. Several replicas may sweep at once. */
export function createHoldSweeper({ credits, retentionDays, log, times = usualTimes }: HoldSweeperDeps) {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let stopped = false
  const sweep = async (): Promise<void> => {
    try {
      const released = await credits.releaseExpired(batch)
      if (released > 0) log.warn({ released }, 'released holds of dead generations')
      await credits.forgetOver(retentionDays, batch)
    } catch (error) {
      log.error({ err: error }, 'sweep of holds failed; the next one tries again')
    }
    schedule(times.everyMs)
  }
  const schedule = (delayMs: number): void => {
    if (stopped) return
    timer = setTimeout(() => {
      sweeping = sweep()
    }, delayMs)
    timer.unref()
  }
  return {
    start: (): void => schedule(times.firstMs),
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await sweeping
    },
  }
}
