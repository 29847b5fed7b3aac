import type { Account, PlanTerms } from './account.ts'

/** A plan's window without remaining requests. */
export interface FullWindow {
  /** Requests per window. */
  readonly limit: number
  /** Milliseconds until the next window. */
  readonly resetMs: number
}

/** A request counted in the current window, or in a new one. */
export interface CountedRequest {
  readonly counted: Pick<Account, 'windowStart' | 'windowCount'>
  /** Undefined while the window has room. */
  readonly full: FullWindow | undefined
}

/** Counts a request in the fixed window of the account's plan, which all paths share. A window starts with its first request. */
export function countRequest(
  { windowStart, windowCount }: Pick<Account, 'windowStart' | 'windowCount'>,
  { requestsPerWindow: limit, windowMs }: Pick<PlanTerms, 'requestsPerWindow' | 'windowMs'>,
  now: Date,
): CountedRequest {
  const passedMs = windowStart === null ? Number.POSITIVE_INFINITY : now.getTime() - windowStart.getTime()
  // A clock that was set back must not extend a window.
  const runs = passedMs >= 0 && passedMs < windowMs
  if (!runs) return { counted: { windowStart: now, windowCount: 1 }, full: undefined }
  return {
    counted: { windowStart, windowCount: windowCount + 1 },
    full: windowCount < limit ? undefined : { limit, resetMs: windowMs - passedMs },
  }
}
