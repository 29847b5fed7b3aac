import type { EventOf, MoneyAlarm, MoneyDay } from '@parley/contracts'
import type { DayFigures, Found } from '../money/check.ts'
import type { Days } from '../usage/period.ts'

/** Credits and money by UTC day. Sales, spending and usage are aggregated by the database as their rows are written. */
export interface MoneyStore {
  /** Every day of a period, in order. */
  days(period: Days): Promise<readonly MoneyDay[]>
  /** The alarms of a period, newest first. */
  alarms(period: Days): Promise<readonly MoneyAlarm[]>
  /** Stores llm-router's figures of a day, unless stored ones include more calls. */
  keepProviderDay(told: EventOf<'llm-router.provider-used'>['data']): Promise<void>
  /** Figures of days that ended an hour ago and were not checked, the oldest first, at most `limit`. */
  unchecked(limit: number): Promise<readonly DayFigures[]>
  /** Records the check of a day and its findings. Resolves to false when another replica has done so before. */
  keepCheck(date: string, found: readonly Found[]): Promise<boolean>
}
