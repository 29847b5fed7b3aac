import type { Credits } from '@parley/contracts'

/** Share of the month's credits that may be used before the meter warns. */
const warningShare = 0.8

/** What the credit meter shows. `total` is what there is for the month, grants included; `share` is what is left of it, from 0 to 1. */
export type Meter =
  | { type: 'unlimited' }
  | { type: 'limited'; remaining: number; total: number; granted: number; share: number; low: boolean }

/** The meter of an account. Its total stays while credits are held, given back and spent: only a grant or another plan moves it. */
export function meterOf({ plan, remaining, held, used, unlimited }: Credits): Meter {
  if (unlimited) return { type: 'unlimited' }
  const granted = Math.max(0, remaining + held + used - plan.monthlyCredits)
  const total = plan.monthlyCredits + granted
  const share = total === 0 ? 0 : Math.max(0, remaining) / total
  return { type: 'limited', remaining, total, granted, share, low: total - remaining >= total * warningShare }
}
