import type { AccountTotals, UserUsage, usageDivisions } from '@parley/contracts'
import type { Page } from '@parley/kit'
import type { FirstTokenStep } from '../usage/first-token.ts'
import type { Days } from '../usage/period.ts'
import type { UsageOfKey } from '../usage/usage-of-key.ts'

/** A row of all users' usage: the sums of a day, model, user or key. */
export interface UsageItem {
  readonly id: string
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly credits: number
  readonly estimated: boolean
  readonly averageResponseMs: number
  readonly days: { date: string; requests: number; credits: number }[]
}

/**
 * Sums of the usage of generations by the UTC day and month in which they started. Each generation is added once, shortly after its end, and
 * reads do not touch generations. A sum is marked if any of its counts was estimated.
 */
export interface UsageStore {
  /** Adds ended generations that are in no sum yet, at most `limit`; replicas may run concurrently. Resolves to their number. */
  count(limit: number): Promise<number>
  ofUser(userId: string, days: Days): Promise<UserUsage>
  /** Usage of all users: every day in order, or a page sorted by requests in descending order; the cursor is a row's requests and id. */
  ofAll(days: Days, by: (typeof usageDivisions)[number], page: Page): Promise<readonly UsageItem[]>
  /** Histogram of the time to first token of answers on the web, by day in ascending steps. */
  firstTokens(days: Days): Promise<readonly (FirstTokenStep & { readonly date: string })[]>
  /** A user's API keys and their total usage. */
  totalsOf(userId: string): Promise<AccountTotals>
  /** Usage of keys since their last reset, except for days, which are kept; unused keys are missing. The current month is the database's, in UTC. */
  ofKeys(keyIds: readonly string[]): Promise<ReadonlyMap<string, UsageOfKey>>
}
