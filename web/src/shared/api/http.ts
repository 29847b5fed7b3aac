import type { Method } from '@parley/contracts'
import { getSession, markBanned, setGuestSessionId } from '../session/index.ts'
import { ApiError, readApiError } from './error.ts'
import { languageHeader } from './language.ts'
import { apiOrigin, knownApiOrigin } from './origin.ts'
import { refreshToken } from './refresh.ts'
import { newTrace } from './trace.ts'

/** Timeout of a call in milliseconds, including its body. */
const defaultTimeoutMs = 15_000

/** The options of `fetch`, plus a timeout in milliseconds; 0 disables it, for streams that have their own. */
export interface ApiInit extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

const deadlineOf = (init: ApiInit): AbortSignal | null => {
  const { timeoutMs = defaultTimeoutMs, signal } = init
  const signals = [signal, timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : null].filter((one) => one != null)
  return signals.length > 0 ? AbortSignal.any(signals) : null
}

async function fetchOnce(path: string, init: ApiInit, token: string | null): Promise<Response> {
  const { guestSessionId } = getSession()
  const { timeoutMs: _, ...rest } = init
  const signal = deadlineOf(init)
  // Synchronous where possible, so that the call starts before the page renders.
  const origin = knownApiOrigin() ?? (await apiOrigin())
  // Another origin would have to allow the header in CORS, so requests to it carry no trace.
  const trace = origin === '' ? newTrace() : undefined
  const response = await fetch(`${origin}/api${path}`, {
    ...rest,
    credentials: 'include',
    signal,
    headers: {
      ...languageHeader(),
      ...(trace && { traceparent: trace.traceparent }),
      ...init.headers,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(guestSessionId ? { 'x-guest-session-id': guestSessionId } : {}),
    },
  }).catch((cause: unknown) => {
    throw asApiError(cause, init.headers?.['x-request-id'] ?? trace?.id)
  })
  const guestId = response.headers.get('x-guest-session-id')
  // A response in flight during sign-in must not turn the user back into a guest.
  if (guestId && getSession().token === null) setGuestSessionId(guestId)
  return response
}

/** Maps a failed fetch or body read to an ApiError; an abort by the caller stays an AbortError. @param requestId the id sent with the request */
function asApiError(cause: unknown, requestId: string | null = null): unknown {
  const name = cause instanceof DOMException || cause instanceof Error ? cause.name : ''
  if (name === 'AbortError' || cause instanceof ApiError) return cause
  return new ApiError({ status: 0, code: name === 'TimeoutError' ? 'timeout' : 'network', requestId })
}

/**
 * Calls `/api<path>` with the session's credentials and resolves to the successful response with an unread body. An expired token is
 * refreshed and the call retried once. Throws ApiError for every refusal, and AbortError when `init.signal` aborts.
 */
export async function apiFetch(path: string, init: ApiInit = {}): Promise<Response> {
  const { token, user } = getSession()
  const response = await fetchOnce(path, init, token)
  if (response.ok || response.status === 304) return response
  const error = await readApiError(response)
  if (error.code === 'account_banned') markBanned()
  if (token === null || !['token_expired', 'unauthenticated'].includes(error.code)) throw error
  const repeatable = await refreshToken(token, user?._id).catch(() => {
    throw new ApiError({ status: 0, code: 'network' })
  })
  if (!repeatable) throw error
  const second = await fetchOnce(path, init, getSession().token)
  if (second.ok || second.status === 304) return second
  throw await readApiError(second)
}

/** The endpoint of a call. `endpoints.ts` lists them all. */
export interface Target {
  readonly method: Method
  /** Relative to `/api`, with `:name` for parameters. */
  readonly path: `/${string}`
}

/** The data of a call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** In addition to those of the session. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Timeout in milliseconds; 15 s by default. */
  readonly timeoutMs?: number
  /** Identifies the call in the server's logs and in the audit log; 8 to 64 letters, digits, `_` and `-`. */
  readonly requestId?: string
}

/** The path of a target with parameters and query filled in. */
export function pathOf(target: Target, { params = {}, query = {} }: CallInput): string {
  const path = target.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

/** Calls an endpoint and parses its JSON; undefined for 204. Throws like `apiFetch`. */
export async function callJson(target: Target, input: CallInput = {}): Promise<unknown> {
  const response = await apiFetch(pathOf(target, input), {
    method: target.method,
    ...(input.signal ? { signal: input.signal } : {}),
    ...(input.timeoutMs === undefined ? {} : { timeoutMs: input.timeoutMs }),
    headers: {
      ...input.headers,
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
      ...(input.requestId !== undefined && { 'x-request-id': input.requestId }),
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  })
  return await readJson(response)
}

/** Parses a response's JSON; undefined for 204. Throws ApiError when it is invalid. */
export async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  return await response.json().catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw new ApiError({ status: response.status, code: 'unexpected' })
    throw asApiError(cause)
  })
}
