import { every, type Logger, type Periodic } from '@parley/kit'
import type { BillingStores } from './store/index.ts'

/** In milliseconds. */
export interface SweepTimes {
  /** Delay of the first sweep, also after a longer outage of the database: holds could not be renewed meanwhile, so their owners get this much time. */
  readonly firstMs: number
  readonly everyMs: number
}
const usualTimes: SweepTimes = { firstMs: 30_000, everyMs: 5_000 }
const batch = 100
/** In each sweep, so that old holds never accumulate, and a backlog of them delays no release. */
const forgottenAtOnce = 5_000

export interface HoldSweeperDeps {
  readonly credits: Pick<BillingStores['credits'], 'releaseExpired' | 'countOpen' | 'forgetOver'>
  /** Days for which ended holds are kept. */
  readonly retentionDays: number
  readonly log: Logger
  readonly times?: SweepTimes | undefined
}

/** Releases the holds of dead generations and deletes old ones. Replicas may sweep concurrently. */
export function createHoldSweeper({ credits, retentionDays, log, times = usualTimes }: HoldSweeperDeps): Periodic {
  let failedAt: number | undefined
  let notBefore = Number.NEGATIVE_INFINITY
  const release = async (stopping: AbortSignal): Promise<void> => {
    if (failedAt !== undefined) {
      await credits.countOpen()
      // In a shorter outage no hold expires whose owner lives.
      if (performance.now() - failedAt > times.firstMs) notBefore = performance.now() + times.firstMs
      failedAt = undefined
    }
    for (let released = batch; released === batch && performance.now() >= notBefore && !stopping.aborted; ) {
      released = await credits.releaseExpired(batch)
      if (released > 0) log.warn({ released }, 'released expired holds')
    }
  }
  const sweep = async (stopping: AbortSignal): Promise<void> => {
    await release(stopping).catch((error: unknown) => {
      failedAt ??= performance.now()
      throw error
    })
    await credits.forgetOver(retentionDays, forgottenAtOnce)
  }
  return every(times.everyMs, sweep, { name: 'sweep holds', firstMs: times.firstMs, log })
}
