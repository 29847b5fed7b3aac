import type { Counter, CountResult, Limit, Take } from '@parley/cache'
import {
  defaultSettings,
  type KeyPrincipal,
  keyWindowOf,
  limitsOfKey,
  type Model,
  type Settings,
  tierMultipliers,
} from '@parley/contracts'
import {
  AppError,
  limitHeaders as commonHeaders,
  type LiveSettings,
  type RequestCounts,
  wholeSeconds,
} from '@parley/kit'
import { type Reservation, reservationOf, takesOfModel } from '../completion/model-limit.ts'

export interface LimitDeps {
  readonly counter: Counter
  readonly settings: LiveSettings
  readonly counts: Pick<RequestCounts, 'note'>
}

/** Rate limit headers of a `/v1` response. */
export type LimitHeaders = Readonly<Record<string, string>>

/**
 * Takes a request from the key's window and the model's minute, and reserves its tokens, atomically. The headers describe the limits with less left.
 * @param setHeaders called with them, also for a refusal
 * @throws AppError rate_limited
 */
export async function takeLimits(
  deps: LimitDeps,
  key: KeyPrincipal,
  { model, tokens }: { readonly model: Model; readonly tokens: number },
  setHeaders: (headers: LimitHeaders) => void,
): Promise<Reservation> {
  noteRequest(deps, key)
  const takes = [await takeOfKey(deps, key, 1), ...takesOfModel(model, tokens)]
  const { allowed, results } = await deps.counter.consumeAll(takes)
  const ofTokens = model.tokensPerMinute > 0 ? results.at(-1) : undefined
  const ofRequests = tightest(results.filter((result) => result !== ofTokens))
  setHeaders(limitHeaders(ofRequests, ofTokens ?? asTokens(ofRequests, model.contextLength)))
  if (!allowed) throw refusal(ofTokens?.allowed === false ? ofTokens : ofRequests, ofTokens?.allowed === false)
  return reservationOf(deps.counter, { model, tokens }, ofTokens)
}

/** Counts a request for the dashboard, unless its key has its own limits. */
function noteRequest({ counts }: LimitDeps, { keyId, userId, tier }: KeyPrincipal): void {
  if (tier === 5) return
  counts.note({ area: 'apiV1', subject: `key:${keyId}`, userId, kind: 'sending', times: tierMultipliers[tier] })
}

/** The rest of the key's window, without taking from it. */
export async function lookAtKey(deps: LimitDeps, key: KeyPrincipal): Promise<CountResult & Limit> {
  const take = await takeOfKey(deps, key, 0)
  const { results } = await deps.counter.consumeAll([take])
  return { ...(results[0] as CountResult), ...take.limit }
}

/** Calls that are free of charge: counts of tokens, reads and deletions of stored responses, and repeats of requests with an Idempotency-Key. */
export type FreeCall = 'counts' | 'reads' | 'repeats'

/**
 * Takes a call that is free of charge from a window of its kind, as large as the key's: it must not use up the key's requests.
 * @param contextLength of the model, or of the largest one
 * @throws AppError rate_limited
 */
export async function takeFreeCall(
  deps: LimitDeps,
  key: KeyPrincipal,
  { kind, contextLength }: { readonly kind: FreeCall; readonly contextLength: number },
  setHeaders: (headers: LimitHeaders) => void,
): Promise<void> {
  const take = await takeOfKey(deps, key, 1)
  const { allowed, results } = await deps.counter.consumeAll([{ ...take, key: `${kind}:${take.key}` }])
  const left = results[0] as CountResult
  setHeaders(limitHeaders(left, asTokens(left, contextLength)))
  if (!allowed) throw refusal(left, false)
}

/**
 * Takes a request that continues a stored conversation, before that is loaded, from a window of its own, as large as the key's. The key's
 * request itself is taken together with its tokens, which are known only afterwards; what fails in between takes none, but is limited by this window.
 * @param setHeaders called only for a refusal
 * @throws AppError rate_limited, also when the key has no request left
 */
export async function takeContinuation(
  deps: LimitDeps,
  key: KeyPrincipal,
  { contextLength }: Pick<Model, 'contextLength'>,
  setHeaders: (headers: LimitHeaders) => void,
): Promise<void> {
  const look = await takeOfKey(deps, key, 0)
  const { results } = await deps.counter.consumeAll([look, { ...look, key: `continuations:${look.key}`, cost: 1 }])
  const [ofKey, ofContinuations] = results as [CountResult, CountResult]
  const refused = ofKey.remaining === 0 ? ofKey : ofContinuations
  if (refused === ofContinuations && ofContinuations.allowed) return
  noteRequest(deps, key)
  setHeaders(limitHeaders(refused, asTokens(refused, contextLength)))
  throw refusal(refused, false)
}

/** The same as headers. @param contextLength of the largest model */
export async function lookAtLimits(deps: LimitDeps, key: KeyPrincipal, contextLength: number): Promise<LimitHeaders> {
  const ofKey = await lookAtKey(deps, key)
  return limitHeaders(ofKey, asTokens(ofKey, contextLength))
}

async function takeOfKey({ settings }: LimitDeps, key: KeyPrincipal, cost: number): Promise<Take> {
  return { ...keyWindowOf(key.keyId, limitsOfKey(key, await baseLimit(settings))), cost }
}

async function baseLimit(settings: LiveSettings): Promise<Settings['rateLimits']['apiV1']> {
  try {
    return (await settings.current()).rateLimits.apiV1
  } catch {
    // While auth is unavailable the last known limit applies, or the default if there is none: a limit always applies.
    return (settings.lastKnown() ?? defaultSettings).rateLimits.apiV1
  }
}

/** The one that refuses, else the one with the fewest left. */
const tightest = (results: readonly CountResult[]): CountResult =>
  results.reduce((a, b) => (!a.allowed ? a : !b.allowed || b.remaining < a.remaining ? b : a))

/** A model without a token limit takes as many as fit into its requests. */
const asTokens = ({ limit, remaining, ...rest }: CountResult, contextLength: number): CountResult => ({
  ...rest,
  limit: limit * contextLength,
  remaining: remaining * contextLength,
})

const limitHeaders = (requests: CountResult, tokens: CountResult): LimitHeaders => ({
  ...commonHeaders({ ...requests, seconds: wholeSeconds(requests.resetMs) }),
  ...headersOf('requests', requests),
  ...headersOf('tokens', tokens),
})

const headersOf = (of: 'requests' | 'tokens', { limit, remaining, resetMs }: CountResult): LimitHeaders => ({
  [`x-ratelimit-limit-${of}`]: String(limit),
  [`x-ratelimit-remaining-${of}`]: String(remaining),
  [`x-ratelimit-reset-${of}`]: `${wholeSeconds(resetMs)}s`,
})

function refusal({ limit, resetMs }: CountResult, isOfTokens: boolean): AppError {
  const what = isOfTokens ? 'tokens' : 'requests'
  const seconds = wholeSeconds(resetMs)
  return new AppError('rate_limited', `Rate limit of ${limit} ${what} reached. Please try again in ${seconds} s.`, {
    details: [{ path: what, message: 'Limit reached' }],
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(Math.max(1, Math.ceil(resetMs))) },
  })
}
