/** The start of a month counted from an anchor: on its day and time in UTC, or on the last day of shorter months. */
export function monthStart(anchor: Date, months: number): Date {
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const start = new Date(anchor)
  start.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay))
  return start
}

/** Whole months from an anchor to a moment at or after it. */
export function monthsPassed(anchor: Date, moment: Date): number {
  const years = moment.getUTCFullYear() - anchor.getUTCFullYear()
  const months = years * 12 + moment.getUTCMonth() - anchor.getUTCMonth()
  return monthStart(anchor, months) > moment ? months - 1 : months
}
