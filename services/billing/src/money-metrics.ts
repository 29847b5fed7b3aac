import { type Clock, createFreshValue, measureNow, type Registry } from '@parley/kit'
import { Counter } from 'prom-client'
import type { Found } from './money/check.ts'
import type { OpenHolds } from './store/credit-store.ts'
import type { BillingStores } from './store/index.ts'
import { readDays } from './usage/period.ts'

const dayMs = 86_400_000
/** Minimum intervals between database reads in milliseconds, however often metrics are scraped. */
const freshMs = { holds: 5_000, drift: 60_000 }

/** Reports holds and the drift of the books. Returns a function that counts an alarm of the money check in `billing_money_alarms_total`. */
export function measureMoney(stores: BillingStores, metrics: Registry, now: Clock): (found: Found) => void {
  const holds = createFreshValue<OpenHolds>({ maxAgeMs: freshMs.holds })
  const readHolds = (): Promise<OpenHolds> => holds.get(() => stores.credits.countOpen())
  const drift = createFreshValue<number>({ maxAgeMs: freshMs.drift })
  /** Drift of past days only: today's captures may not be recorded yet. */
  const readDrift = async (): Promise<number> => {
    const days = await stores.money.days(readDays({}, new Date(now().getTime() - dayMs)))
    return days.reduce((sum, day) => sum + Math.abs(day.drift), 0)
  }
  const open = { name: 'billing_open_holds', help: 'Generations that credits are held for' }
  measureNow(metrics, open, async () => (await readHolds()).open)
  const overdue = { name: 'billing_overdue_holds', help: 'Of these, such as ended a minute ago and are still held' }
  measureNow(metrics, overdue, async () => (await readHolds()).overdue)
  const help = 'Credits by which ledger and usage differ in the 30 days before the present one'
  measureNow(metrics, { name: 'billing_ledger_drift_credits', help }, () => drift.get(readDrift))
  const alarms = new Counter({
    name: 'billing_money_alarms_total',
    help: 'Days whose books did not agree, by what disagreed',
    labelNames: ['kind'],
    registers: [metrics],
  })
  return ({ kind }) => alarms.inc({ kind })
}
