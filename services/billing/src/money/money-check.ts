import { every, type Logger, type Periodic } from '@parley/kit'
import type { MoneyStore } from '../store/money-store.ts'
import { checkDay, type Found } from './check.ts'

/** What the check uses. */
export interface MoneyCheckDeps {
  readonly money: Pick<MoneyStore, 'unchecked' | 'keepCheck'>
  /** Told of each alarm, once. */
  readonly onAlarm: (found: Found) => void
  readonly log: Logger
  /** Milliseconds between two looks; a minute unless told. */
  readonly everyMs?: number | undefined
}

const daysAtOnce = 31

/** Compares the books of each day once, an hour after it is over. Several replicas may look at once. */
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
