import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Counter, CountResult, Limit, Take, TakeResult } from '../ports.ts'

/** The longest a timer of Node can wait. */
const maxWindowMs = 2 ** 31 - 1

/**
 * Windows kept by rate-limiter-flexible. Its own `consume` also counts refused calls, which would keep a raised limit closed, so this looks
 * first and counts after; one call at a time makes that one step.
 */
export function createMemoryCounter(): Counter {
  const windows = new RateLimiterMemory({ points: 1, duration: 1 })
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const result = last.then(act)
    // The caller sees the failure; later calls proceed.
    last = result.catch(() => undefined)
    return result
  }
  return {
    async consume(key, limit) {
      const { results } = await inTurn(() => takeAll(windows, [{ key, limit, cost: 1 }]))
      return results[0] as CountResult
    },
    consumeAll: (takes) => inTurn(() => takeAll(windows, takes)),
    adjust: (key, limit, points) =>
      inTurn(async () => {
        const { taken, endsMs } = await windowOf(windows, key, limit)
        if (endsMs > 0) await windows.penalty(nameOf(key, limit), Math.max(points, -taken))
      }),
  }
}

async function takeAll(windows: RateLimiterMemory, takes: readonly Take[]): Promise<TakeResult> {
  const seen = await Promise.all(takes.map(({ key, limit }) => windowOf(windows, key, limit)))
  const enough = takes.map(({ limit, cost }, nth) => cost === 0 || (seen[nth]?.taken ?? 0) + cost <= limit.points)
  const allowed = enough.every(Boolean)
  const results: CountResult[] = []
  for (const [nth, { key, limit, cost }] of takes.entries()) {
    let { taken, endsMs } = seen[nth] ?? nothing
    if (allowed && cost > 0) {
      const now = await windows.penalty(nameOf(key, limit), cost, { customDuration: windowMsOf(limit) / 1000 })
      ;[taken, endsMs] = [now.consumedPoints, now.msBeforeNext]
    }
    results.push({
      allowed: enough[nth] === true,
      limit: limit.points,
      remaining: Math.max(limit.points - taken, 0),
      resetMs: endsMs > 0 ? endsMs : windowMsOf(limit),
    })
  }
  return { allowed, results }
}

const nothing = { taken: 0, endsMs: 0 }

async function windowOf(windows: RateLimiterMemory, key: string, limit: Limit): Promise<typeof nothing> {
  const current = await windows.get(nameOf(key, limit))
  if (current === null || current.msBeforeNext <= 0) return nothing
  return { taken: current.consumedPoints, endsMs: current.msBeforeNext }
}

const windowMsOf = ({ windowMs }: Limit): number => Math.min(windowMs, maxWindowMs)
/** A window of another length is another window, so that a changed length holds at once. */
const nameOf = (key: string, limit: Limit): string => `${windowMsOf(limit)}:${key}`
