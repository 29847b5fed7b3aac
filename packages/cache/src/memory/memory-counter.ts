import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Counter, CountResult, Limit } from '../ports.ts'

/** The longest a timer of Node can wait. */
const maxWindowMs = 2 ** 31 - 1

/**
 * Windows kept by rate-limiter-flexible. Its own `consume` also counts refused calls, which would keep a raised limit closed, so this looks
 * first and counts after; one call at a time makes that one step.
 */
export function createMemoryCounter(): Counter {
  const windows = new RateLimiterMemory({ points: 1, duration: 1 })
  let last: Promise<unknown> = Promise.resolve()
  return {
    consume(key, limit) {
      const result = last.then(() => take(windows, key, limit))
      // Who asked is told of a failure; those after it have their turn all the same.
      last = result.catch(() => undefined)
      return result
    },
  }
}

async function take(windows: RateLimiterMemory, key: string, limit: Limit): Promise<CountResult> {
  // A window of another length is another window, so that a changed length holds at once.
  const windowMs = Math.min(limit.windowMs, maxWindowMs)
  const windowKey = `${windowMs}:${key}`
  const current = await windows.get(windowKey)
  if (current !== null && current.msBeforeNext > 0 && current.consumedPoints >= limit.points) {
    return { allowed: false, limit: limit.points, remaining: 0, resetMs: current.msBeforeNext }
  }
  if (limit.points < 1) return { allowed: false, limit: limit.points, remaining: 0, resetMs: windowMs }
  const taken = await windows.penalty(windowKey, 1, { customDuration: windowMs / 1000 })
  return {
    allowed: true,
    limit: limit.points,
    remaining: Math.max(limit.points - taken.consumedPoints, 0),
    resetMs: taken.msBeforeNext,
  }
}
