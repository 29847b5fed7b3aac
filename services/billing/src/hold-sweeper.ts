import { every, type Logger, type Periodic } from '@parley/kit'
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

/** Gives back the holds of dead generations and forgets old ones. Several replicas may sweep at once. */
export const createHoldSweeper = ({ credits, retentionDays, log, times = usualTimes }: HoldSweeperDeps): Periodic =>
  every(
    times.everyMs,
    async () => {
      const released = await credits.releaseExpired(batch)
      if (released > 0) log.warn({ released }, 'released holds of dead generations')
      await credits.forgetOver(retentionDays, batch)
    },
    { name: 'sweep holds', firstMs: times.firstMs, log },
  )
