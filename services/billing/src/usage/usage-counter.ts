import { every, type Logger, type Periodic } from '@parley/kit'
import type { BillingStores } from '../store/index.ts'

const everyMs = 1_000
const mostAtOnce = 1_000

/** Adds ended generations to the sums of usage, asynchronously and apart from charging them. Replicas may do so concurrently. */
export const createUsageCounter = (usage: BillingStores['usage'], log: Logger): Periodic =>
  every(
    everyMs,
    async (stopping) => {
      while (!stopping.aborted && (await usage.count(mostAtOnce)) === mostAtOnce);
    },
    { name: 'count usage', log },
  )
