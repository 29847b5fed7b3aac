import { eventOf } from '@parley/bus'
import type { Event } from '@parley/contracts'
import type { Account } from './account.ts'

/** The warning requested with a charge: its threshold as a percentage of the month's initial credits, and the id of its event. */
export interface Warning {
  readonly percent: number
  readonly eventId: string
}

/** The state of a month's warning. */
export interface WarningState {
  /** Relative to the month's initial credits; 0 in a month without credits. */
  readonly usagePercentage: number
  /** It was given in this month. */
  readonly told: boolean
  readonly acknowledged: boolean
}

/** The state of the warning in an account's month. */
export const warningStateOf = ({ used, monthCredits, period, ...account }: Account): WarningState => ({
  usagePercentage: monthCredits > 0 ? Math.floor((used * 100) / monthCredits) : 0,
  told: account.warnedPeriod === period,
  acknowledged: account.acknowledgedPeriod === period,
})

/** Reports, once a month, that a charge has reached the threshold; a month without credits has no warning. */
export function warnOfUsage(
  account: Account,
  charged: number,
  warning: Warning | undefined,
  now: Date,
): { account: Account; events: readonly Event[] } {
  const { userId, used, monthCredits, period } = account
  const untold = charged > 0 && monthCredits > 0 && account.warnedPeriod !== period
  if (!untold || warning === undefined || used * 100 < monthCredits * warning.percent) return { account, events: [] }
  const data = {
    userId,
    usagePercentage: Math.floor((used * 100) / monthCredits),
    threshold: warning.percent,
    resetDate: account.periodEnd.toISOString(),
  }
  const told = eventOf('billing.credit-warning-reached', userId, data, { id: warning.eventId, at: now })
  return { account: { ...account, warnedPeriod: period }, events: [told] }
}
