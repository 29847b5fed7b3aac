/** How long ago a day was, in the words that a shared chat has for it. */
export interface DaysAgo {
  readonly unit: 'today' | 'yesterday' | 'days' | 'weeks'
  readonly count: number
}

const dayMs = 24 * 60 * 60 * 1000
/** The calendar's day where the visitor is, as a number that grows by one each day, also where the clock is changed. */
const dayOf = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs

/** Counts the visitor's own days; what comes from a clock that is ahead is of today. */
export function daysAgo(iso: string, now: Date): DaysAgo {
  const days = Math.max(0, dayOf(now) - dayOf(new Date(iso)))
  if (days === 0) return { unit: 'today', count: 0 }
  if (days === 1) return { unit: 'yesterday', count: 1 }
  if (days < 7) return { unit: 'days', count: days }
  return { unit: 'weeks', count: Math.floor(days / 7) }
}
