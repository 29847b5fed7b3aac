import { every, type Logger, type Periodic } from '@parley/kit'
import type { BillingStores } from '../store/index.ts'
import { checkDay, type Found } from './check.ts'

const daysAtOnce = 31

/** Compares the books of each day once, an hour after it ended. Replicas may check concurrently. @param onAlarm called once per alarm */
export const createMoneyCheck = (
  money: BillingStores['money'],
  onAlarm: (found: Found) => void,
  log: Logger,
  everyMs = 60_000,
): Periodic =>
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
