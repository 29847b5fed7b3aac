import type { Counter } from '@parley/cache'
import { defaultSettings, type Principal, type Settings } from '@parley/contracts'
import { type LiveSettings, limitHeaders, limitReached, wholeSeconds } from '@parley/kit'
import type { Response } from 'express'

/** What the web limit uses. */
export interface RateLimitDeps {
  readonly counter: Counter
  readonly settings: LiveSettings
}

/**
 * Takes one of the caller's requests of this window and says what is left in the `ratelimit-…` headers. Users are counted by
 * account, guests by network.
 * @throws AppError rate_limited
 */
export async function takeRequest(deps: RateLimitDeps, principal: Principal, response: Response): Promise<void> {
  const { windowMinutes, maxRequests } = await webLimit(deps.settings)
  const key = principal.kind === 'user' ? `user:${principal.userId}` : `network:${principal.network}`
  const { allowed, limit, remaining, resetMs } = await deps.counter.consume(key, {
    points: maxRequests,
    windowMs: windowMinutes * 60_000,
  })
  const seconds = wholeSeconds(resetMs)
  for (const [name, value] of Object.entries(limitHeaders({ limit, remaining, seconds }))) {
    response.setHeader(name, value)
  }
  if (allowed) return
  throw limitReached('rate_limited', `Too many requests. Please try again in ${seconds} s.`, { limit, seconds })
}

async function webLimit(settings: LiveSettings): Promise<Settings['rateLimits']['web']> {
  try {
    return (await settings.current()).rateLimits.web
  } catch {
    // While auth is away the last known limit holds, and before it was ever asked the default: limited in any case.
    return (settings.lastKnown() ?? defaultSettings).rateLimits.web
  }
}
