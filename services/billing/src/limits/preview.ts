/** What one subject asked for in one kind of window. */
export interface RecordedRequests {
  readonly subject: string
  readonly kind: string
  /** The limit times this holds. */
  readonly times: number
  /** Minutes since 1970 with a request, in order, with how many. */
  readonly minutes: readonly { readonly minute: number; readonly count: number }[]
}

/** A limit as the settings have it. */
export interface WindowLimit {
  readonly windowMinutes: number
  readonly maxRequests: number
}

/** Requests that a limit would have refused: a window begins with its first request, and those over its points are refused and taken from no other. */
export function refusedBy({ times, minutes }: RecordedRequests, { windowMinutes, maxRequests }: WindowLimit): number {
  const points = maxRequests * times
  let [endsAt, taken, refused] = [Number.NEGATIVE_INFINITY, 0, 0]
  for (const { minute, count } of minutes) {
    if (minute >= endsAt) [endsAt, taken] = [minute + windowMinutes, 0]
    const allowed = Math.min(count, points - taken)
    taken += allowed
    refused += count - allowed
  }
  return refused
}
