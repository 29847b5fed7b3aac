import { eventOf } from '@parley/bus'
import type { Event } from '@parley/contracts'
import type { Account } from './account.ts'

/** When a charge is told of: at this many percent of what the month began with, by an event with this id. */
export interface Warning {
  readonly percent: number
  readonly eventId: string
}

/** How a month's warning stands. */
export interface WarningState {
  /** Of what the month began with; 0 in a month without credits. */
  readonly usagePercentage: number
  /** It was due in this month. */
  readonly told: boolean
  readonly acknowledged: boolean
}

/** How the warning of an account's month stands. */
export const warningStateOf = ({ used, monthCredits, period, ...account }: Account): WarningState => ({
  usagePercentage: monthCredits > 0 ? Math.floor((used * 100) / monthCredits) : 0,
  told: account.warnedPeriod === period,
  acknowledged: account.acknowledgedPeriod === period,
})

/** Tells, once a month, that a charge finds so much of the month's credits used; a month without credits has nothing to warn of. */
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
