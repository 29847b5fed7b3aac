import type { MoneyAlarm } from '@parley/contracts'

/** The figures of one day in different books, as whole credits and tokens. */
export interface DayFigures {
  readonly date: string
  /** Aggregated sums of the day. */
  readonly spent: number
  readonly recorded: number
  /** The same, computed from the current rows. */
  readonly ledger: number
  readonly usage: number
  /** Tokens in usage, and in calls of providers; the latter is undefined while it is not complete for the day. */
  readonly usedTokens: number
  readonly providerTokens: number | undefined
}

/** A mismatch between two books. */
export type Found = Pick<MoneyAlarm, 'kind' | 'expected' | 'found'>

/** A call that ends at midnight may be recorded on the next day. */
const providerTolerance = 0.01

/** Mismatches of a day: captured credits missing in usage, or the reverse, and tokens without a provider's call. */
export function checkDay(figures: DayFigures): readonly Found[] {
  const { ledger, usage, spent, recorded, usedTokens, providerTokens } = figures
  const alarms: Found[] = []
  if (ledger !== usage) alarms.push({ kind: 'ledger', expected: ledger, found: usage })
  else if (spent !== recorded) alarms.push({ kind: 'ledger', expected: spent, found: recorded })
  if (providerTokens !== undefined && usedTokens > providerTokens * (1 + providerTolerance)) {
    alarms.push({ kind: 'provider', expected: usedTokens, found: providerTokens })
  }
  return alarms
}
