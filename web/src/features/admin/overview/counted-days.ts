/** Active users for each of the dates: null before counting began, 0 for a later day without a count. */
export function countedDays(
  days: readonly { readonly date: string; readonly users: number }[],
  dates: readonly string[],
): (number | null)[] {
  const users = new Map(days.map((day) => [day.date, day.users]))
  const first = days[0]?.date
  return dates.map((date) => users.get(date) ?? (first !== undefined && date > first ? 0 : null))
}
