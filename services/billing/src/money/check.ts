import type { MoneyAlarm } from '@parley/contracts'

/** What different books say of a day. Credits and tokens, whole. */
export interface DayFigures {
  readonly date: string
  /** Sums of the day as they were added up. */
  readonly spent: number
  readonly recorded: number
  /** The same from the rows that are there now. */
  readonly ledger: number
  readonly usage: number
  /** Tokens of usage, and of calls of providers; the latter undefined while they are not known of the whole day. */
  readonly usedTokens: number
  readonly providerTokens: number | undefined
}

/** Two books that do not agree. */
export type Found = Pick<MoneyAlarm, 'kind' | 'expected' | 'found'>

/** A call that ends at midnight may be used on the next day. */
const providerTolerance = 0.01

/** Where the books of a day disagree: captured credits that usage does not know, or the reverse, and tokens that no provider was asked for. */
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
