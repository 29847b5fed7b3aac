import type { Account, PlanTerms } from './account.ts'

/** A plan's window that has nothing left. */
export interface FullWindow {
  /** Requests of a window. */
  readonly limit: number
  /** Until the next one, milliseconds. */
  readonly resetMs: number
}

/** A request of the window that runs, or of one that it begins. */
export interface CountedRequest {
  readonly counted: Pick<Account, 'windowStart' | 'windowCount'>
  /** Undefined while the window has room for it. */
  readonly full: FullWindow | undefined
}

/** Counts a request in the window of the account's plan, which all paths share. A window begins with its first request and does not slide. */
export function countRequest(
  { windowStart, windowCount }: Pick<Account, 'windowStart' | 'windowCount'>,
  { requestsPerWindow: limit, windowMs }: Pick<PlanTerms, 'requestsPerWindow' | 'windowMs'>,
  now: Date,
): CountedRequest {
  const passedMs = windowStart === null ? Number.POSITIVE_INFINITY : now.getTime() - windowStart.getTime()
  // A clock that was set back must not make a window last.
  const runs = passedMs >= 0 && passedMs < windowMs
  if (!runs) return { counted: { windowStart: now, windowCount: 1 }, full: undefined }
  return {
    counted: { windowStart, windowCount: windowCount + 1 },
    full: windowCount < limit ? undefined : { limit, resetMs: windowMs - passedMs },
  }
}
