import type { EventOf, MoneyAlarm, MoneyDay } from '@parley/contracts'
import type { DayFigures, Found } from '../money/check.ts'
import type { Days } from '../usage/period.ts'

/** Credits and money by day of UTC. What is sold, spent and recorded is added up by the database with the rows that it is made of. */
export interface MoneyStore {
  /** Every day of a period, the first one first. */
  days(period: Days): Promise<readonly MoneyDay[]>
  /** What the check found of a period, the newest first. */
  alarms(period: Days): Promise<readonly MoneyAlarm[]>
  /** Keeps what llm-router told of a day, unless it told of more calls before. */
  keepProviderDay(told: EventOf<'llm-router.provider-used'>['data']): Promise<void>
  /** Figures of the days that are over for an hour and were not checked, the oldest first, at most `limit`. */
  unchecked(limit: number): Promise<readonly DayFigures[]>
  /** Notes that a day was checked, and what was found. Resolves to false when another replica did before. */
  keepCheck(date: string, found: readonly Found[]): Promise<boolean>
}
