const dayMs = 24 * 60 * 60_000

/** The last `count` days up to that of `now` (milliseconds), UTC, oldest first, such as `2030-01-31`. */
export const lastDays = (count: number, now: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(now - (count - 1 - index) * dayMs).toISOString().slice(0, 10))

/** One value per date; 0 for missing ones. */
export function fillDays<Day extends { readonly date: string }>(
  days: readonly Day[],
  dates: readonly string[],
  read: (day: Day) => number,
): number[] {
  const values = new Map(days.map((day) => [day.date, read(day)]))
  return dates.map((date) => values.get(date) ?? 0)
}

/** Indexes of values without a neighbour, to which no line leads. */
export const loneIndexes = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  )
