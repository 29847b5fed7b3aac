import type { MoneyDay } from '@parley/contracts'
import { formatMoney } from '../../../shared/format.ts'

const counts = ['sold', 'spent', 'recorded', 'providerCost', 'drift'] as const

/** The sums of all days. Credits, and micro-dollars of providers. */
export const totalsOf = (days: readonly MoneyDay[]) =>
  Object.fromEntries(counts.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)])) as Record<
    (typeof counts)[number],
    number
  >

/** Formats micro-dollars as dollars: `$1.24`, with more digits below a dollar. */
export const formatCost = (micros: number, locale: string): string =>
  formatMoney(micros / 1_000_000, 'USD', locale, micros > 0 && micros < 1_000_000 ? 4 : 2)
