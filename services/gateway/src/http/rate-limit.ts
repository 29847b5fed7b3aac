import { hash } from 'node:crypto'
import type { Counter, CountResult, Limit } from '@parley/cache'
import { defaultSettings, type Principal, type Route, type Settings } from '@parley/contracts'
import {
  type CountedSubject,
  type LiveSettings,
  limitHeaders,
  limitReached,
  networkBuckets,
  type RequestCounts,
  wholeSeconds,
} from '@parley/kit'
import type { HeaderList } from './headers.ts'

export interface RateLimitDeps {
  readonly counter: Counter
  readonly settings: LiveSettings
  readonly counts: Pick<RequestCounts, 'note'>
}

/** A route's kind of limit. */
type Limited = NonNullable<Route['limited']>

/** Reads allowed per message: a message causes a list refresh, searches while typing, and saves. */
const readingsPerRequest = 20

/** Requests per minute that sign in or prove who somebody is: below the web limit of the settings nobody could sign in to raise it. */
const leastAccountRequests = 300

/**
 * Takes one of the caller's requests in this window. Resolves to the `ratelimit-…` headers. Users are counted by account; guests by
 * network and, with IPv6, also by the surrounding larger network, in which case the headers describe the counter with less left.
 * Each kind of limit is counted separately.
 * @throws AppError rate_limited
 */
export async function takeRequest(deps: RateLimitDeps, limited: Limited, principal: Principal): Promise<HeaderList> {
  if (limited !== 'account') deps.counts.note(countedAs(limited, principal))
  const most = limitFor(limited, await webLimit(deps.settings))
  const { allowed, limit, remaining, resetMs } = await takeOfAll(deps.counter, limited, principal, most)
  const seconds = wholeSeconds(resetMs)
  if (allowed) return Object.entries(limitHeaders({ limit, remaining, seconds })).flat()
  throw limitReached('rate_limited', `Too many requests. Please try again in ${seconds} s.`, { limit, seconds })
}

/** The request as it is counted for the dashboard. A network is represented by an opaque id. */
function countedAs(limited: Exclude<Limited, 'account'>, principal: Principal): CountedSubject {
  const [kind, times] = limited === 'reading' ? (['reading', readingsPerRequest] as const) : (['sending', 1] as const)
  const userId = principal.kind === 'user' ? principal.userId : null
  const subject = userId === null ? `network:${hash('sha256', principal.network, 'base64url')}` : `user:${userId}`
  return { area: 'web', subject, userId, kind, times }
}

/** Takes a point from each of the caller's counters until one refuses. Resolves to that one, else to the one with the fewest left. */
async function takeOfAll(
  counter: Counter,
  limited: Limited,
  principal: Principal,
  { points, windowMs }: Limit,
): Promise<CountResult> {
  const kind = limited === true ? '' : `${limited}:`
  if (principal.kind === 'user') return await counter.consume(`${kind}user:${principal.userId}`, { points, windowMs })
  const [own, ...wider] = networkBuckets(principal.network)
  let tightest = await counter.consume(`${kind}network:${own.network}`, { points, windowMs })
  for (const { network, times } of wider) {
    if (!tightest.allowed) break
    const taken = await counter.consume(`${kind}network:${network}`, { points: points * times, windowMs })
    if (!taken.allowed || taken.remaining < tightest.remaining) tightest = taken
  }
  return tightest
}

function limitFor(limited: Limited, { windowMinutes, maxRequests }: Settings['rateLimits']['web']): Limit {
  if (limited === 'account') {
    return { points: Math.max(leastAccountRequests, Math.floor(maxRequests / windowMinutes)), windowMs: 60_000 }
  }
  const points = limited === 'reading' ? maxRequests * readingsPerRequest : maxRequests
  return { points, windowMs: windowMinutes * 60_000 }
}

async function webLimit(settings: LiveSettings): Promise<Settings['rateLimits']['web']> {
  try {
    return (await settings.current()).rateLimits.web
  } catch {
    // While auth is unavailable the last known limit applies, or the default if there is none: a limit always applies.
    return (settings.lastKnown() ?? defaultSettings).rateLimits.web
  }
}
