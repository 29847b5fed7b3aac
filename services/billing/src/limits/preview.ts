import type { Settings } from '@parley/contracts'

/** One subject's requests against one kind of limit. */
export interface RecordedRequests {
  readonly subject: string
  readonly kind: string
  /** The multiple of the limit that applies. */
  readonly times: number
  /** Minutes since 1970 with requests, in order, with their counts. */
  readonly minutes: readonly { readonly minute: number; readonly count: number }[]
}

/** A limit in the settings. */
export type WindowLimit = Settings['rateLimits']['web']

/** Number of requests a limit would have refused. A window starts with its first request; refused requests count in no window. */
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
