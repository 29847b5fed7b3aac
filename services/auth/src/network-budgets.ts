import { networkBuckets } from '@parley/kit'
import type { AttemptBudget } from './store/sessions/attempt-store.ts'

/** Budgets of a caller's networks, the narrowest first. @param kind begins their keys @param budget of the narrowest one */
export const networkBudgets = (
  kind: string,
  network: string,
  { attempts, windowSeconds }: Omit<AttemptBudget, 'key'>,
): AttemptBudget[] =>
  networkBuckets(network).map((bucket) => ({
    key: `${kind}:${bucket.network}`,
    attempts: attempts * bucket.times,
    windowSeconds,
  }))
