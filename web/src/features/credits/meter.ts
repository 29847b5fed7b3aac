import type { Credits } from '@parley/contracts'

/** Share of the month's credits that may be used before the meter warns. */
const warningShare = 0.8

/** What the credit meter shows. `share` is what is left, from 0 to 1; grants can lift the month's figure. */
export type Meter =
  | { type: 'unlimited' }
  | { type: 'limited'; remaining: number; monthly: number; share: number; low: boolean }

/** The meter of an account. With grants more can be left than the plan gives; the total then grows with them. */
export function meterOf({ plan, remaining, unlimited }: Credits): Meter {
  if (unlimited) return { type: 'unlimited' }
  const monthly = Math.max(plan.monthlyCredits, remaining)
  const share = monthly === 0 ? 0 : Math.max(0, remaining) / monthly
  return { type: 'limited', remaining, monthly, share, low: monthly - remaining >= monthly * warningShare }
}
