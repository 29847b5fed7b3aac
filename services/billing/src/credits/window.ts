import type { Account, PlanTerms } from './account.ts'

/** A plan's window without remaining requests. */
export interface FullWindow {
  /** Requests per window. */
  readonly limit: number
  /** Milliseconds until the next window. */
  readonly resetMs: number
}

/**
 * Counts a request in the fixed window of the account's plan, which all paths share, or in a new one, which starts with it. `full` is undefined while
 * the window has room.
 */
export function countRequest(
  { windowStart, windowCount }: Pick<Account, 'windowStart' | 'windowCount'>,
  { requestsPerWindow: limit, windowMs }: Pick<PlanTerms, 'requestsPerWindow' | 'windowMs'>,
  now: Date,
): { readonly counted: Pick<Account, 'windowStart' | 'windowCount'>; readonly full: FullWindow | undefined } {
  const passedMs = windowStart === null ? Number.POSITIVE_INFINITY : now.getTime() - windowStart.getTime()
  // A clock that was set back must not extend a window.
  const runs = passedMs >= 0 && passedMs < windowMs
  if (!runs) return { counted: { windowStart: now, windowCount: 1 }, full: undefined }
  return {
    counted: { windowStart, windowCount: windowCount + 1 },
    full: windowCount < limit ? undefined : { limit, resetMs: windowMs - passedMs },
  }
}
