import type { MoneyDay } from '@parley/contracts'
import { formatMoney } from '../../../shared/format.ts'

/** Totals of a period. Credits, and micro-dollars of providers. */
export interface MoneyTotals {
  readonly sold: number
  readonly spent: number
  readonly recorded: number
  readonly providerCost: number
  readonly drift: number
}

const noMoney: MoneyTotals = { sold: 0, spent: 0, recorded: 0, providerCost: 0, drift: 0 }

/** The sums of all days. */
export const totalsOf = (days: readonly MoneyDay[]): MoneyTotals =>
  days.reduce(
    (sum, day) => ({
      sold: sum.sold + day.sold,
      spent: sum.spent + day.spent,
      recorded: sum.recorded + day.recorded,
      providerCost: sum.providerCost + day.providerCost,
      drift: sum.drift + day.drift,
    }),
    noMoney,
  )

/** Formats micro-dollars as dollars: `$1.24`, with more digits below a dollar. */
export const formatCost = (micros: number, locale: string): string =>
  formatMoney(micros / 1_000_000, 'USD', locale, micros > 0 && micros < 1_000_000 ? 4 : 2)
