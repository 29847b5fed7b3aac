import { every, type Logger, type Periodic } from '@parley/kit'
import type { MoneyStore } from '../store/money-store.ts'
import { checkDay, type Found } from './check.ts'

export interface MoneyCheckDeps {
  readonly money: Pick<MoneyStore, 'unchecked' | 'keepCheck'>
  /** Called once per alarm. */
  readonly onAlarm: (found: Found) => void
  readonly log: Logger
  /** Milliseconds between checks; a minute by default. */
  readonly everyMs?: number | undefined
}

const daysAtOnce = 31

/** Compares the books of each day once, an hour after it ended. Replicas may check concurrently. */
export const createMoneyCheck = ({ money, onAlarm, log, everyMs = 60_000 }: MoneyCheckDeps): Periodic =>
  every(
    everyMs,
    async () => {
      for (const figures of await money.unchecked(daysAtOnce)) {
        const alarms = checkDay(figures)
        if (!(await money.keepCheck(figures.date, alarms))) continue
        for (const alarm of alarms) {
          log.error({ date: figures.date, ...alarm }, 'the books of a day do not agree')
          onAlarm(alarm)
        }
      }
    },
    { name: 'compare the books of past days', log },
  )
