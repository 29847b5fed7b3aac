import { endsBeforeStart } from '@parley/kit'

/** UTC days as `YYYY-MM-DD`, both inclusive. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** Days, and the present one: no later day has usage. */
export interface Period extends Days {
  readonly today: string
}

const usualDays = 30
const dayMs = 86_400_000
/** The UTC day of a time. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The days of a query, where a time stands for its day; the last 30 days by default. @throws AppError validation_failed when it ends before it starts */
export function readDays({ from, to }: { [Bound in keyof Days]?: string | undefined }, now: Date): Days {
  const last = to?.slice(0, 10) ?? dayOf(now)
  const first = from?.slice(0, 10) ?? dayOf(new Date(Date.parse(last) - (usualDays - 1) * dayMs))
  if (first > last) throw endsBeforeStart()
  return { from: first, to: last }
}

/**
 * The whole months within a period, by their first days: from `first` inclusive to `after` exclusive; both are the same when there are none. The last
 * month is whole if the period lasts until today.
 */
export function monthsWithin({ from, to, today }: Period): { readonly first: string; readonly after: string } {
  const begin = new Date(from)
  const isFirst = begin.getUTCDate() === 1
  const first = startOfMonth(begin, isFirst ? 0 : 1)
  const after = to < today ? startOfMonth(new Date(Date.parse(to) + dayMs), 0) : startOfMonth(new Date(to), 1)
  return first < after ? { first: dayOf(first), after: dayOf(after) } : { first: from, after: from }
}

const startOfMonth = (at: Date, later: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1))

/** A month in UTC; January is 1. */
export interface YearMonth {
  readonly year: number
  readonly month: number
}

/** The first and the last month that the days touch. */
export const monthsTouched = ({ from, to }: Days): { readonly from: YearMonth; readonly to: YearMonth } => ({
  from: monthOf(from),
  to: monthOf(to),
})

const monthOf = (day: string): YearMonth => ({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) })

/** The previous day. */
export const dayBefore = (day: string): string => dayOf(new Date(Date.parse(day) - dayMs))
