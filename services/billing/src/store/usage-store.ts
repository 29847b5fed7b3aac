import type { AccountTotals, UserUsage, usageDivisions } from '@parley/contracts'
import type { Page } from '@parley/kit'
import type { FirstTokenStep } from '../usage/first-token.ts'
import type { Days } from '../usage/period.ts'
import type { UsageOfKey } from '../usage/usage-of-key.ts'

/** One line of everybody's usage: the sums of a day, model, user or key. */
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
 * Sums of what generations used, by the UTC day and month in which they began. They are added to a moment after a generation ended, each once, and are
 * read without looking at generations. A sum says whether a count in it was estimated.
 */
export interface UsageStore {
  /** Adds generations that ended and are in no sum yet, at most `limit`, also beside other replicas. Resolves to how many. */
  count(limit: number): Promise<number>
  ofUser(userId: string, days: Days): Promise<UserUsage>
  /** Everybody's: every day in order, else a page of those with the most requests, the most first; the place of a line is its requests and its id. */
  ofAll(days: Days, by: (typeof usageDivisions)[number], page: Page): Promise<readonly UsageItem[]>
  /** How soon answers on the web began, in ascending steps of each day. */
  firstTokens(days: Days): Promise<readonly (FirstTokenStep & { readonly date: string })[]>
  /** API keys of a user, and what they used in all. */
  totalsOf(userId: string): Promise<AccountTotals>
  /** Of keys, since they were last set to nothing, but for the days, which stay; none of a key that was not used. The present month is the database's, UTC. */
  ofKeys(keyIds: readonly string[]): Promise<ReadonlyMap<string, UsageOfKey>>
}
