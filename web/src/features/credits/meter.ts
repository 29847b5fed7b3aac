import type { Credits } from '@parley/contracts'

/** Used share of the month's credits from which the meter warns. */
const warningShare = 0.8

/** The credit meter's state. `total` is the month's credits including grants; `share` is the remaining part, from 0 to 1. */
export type Meter =
  | { type: 'unlimited' }
  | { type: 'limited'; remaining: number; total: number; granted: number; share: number; low: boolean }

/** The meter of an account. The total is constant while credits are held, returned and spent; only a grant or another plan changes it. */
export function meterOf({ plan, remaining, held, used, unlimited }: Credits): Meter {
  if (unlimited) return { type: 'unlimited' }
  const granted = Math.max(0, remaining + held + used - plan.monthlyCredits)
  const total = plan.monthlyCredits + granted
  const share = total === 0 ? 0 : Math.max(0, remaining) / total
  return { type: 'limited', remaining, total, granted, share, low: total - remaining >= total * warningShare }
}
