import { every, type Logger, type Periodic } from '@parley/kit'
import type { CreditStore } from './store/credit-store.ts'

/** In milliseconds. */
export interface SweepTimes {
  /** Delay of the first sweep: holds could not be renewed while billing was down, so their owners get this much time. */
  readonly firstMs: number
  readonly everyMs: number
}
const usualTimes: SweepTimes = { firstMs: 30_000, everyMs: 5_000 }
const batch = 100

export interface HoldSweeperDeps {
  readonly credits: Pick<CreditStore, 'releaseExpired' | 'forgetOver'>
  /** Days for which ended holds are kept. */
  readonly retentionDays: number
  readonly log: Logger
  readonly times?: SweepTimes | undefined
}

/** Releases the holds of dead generations and deletes old ones. Replicas may sweep concurrently. */
export const createHoldSweeper = ({ credits, retentionDays, log, times = usualTimes }: HoldSweeperDeps): Periodic =>
  every(
    times.everyMs,
    async () => {
      const released = await credits.releaseExpired(batch)
      if (released > 0) log.warn({ released }, 'released expired holds')
      await credits.forgetOver(retentionDays, batch)
    },
    { name: 'sweep holds', firstMs: times.firstMs, log },
  )
