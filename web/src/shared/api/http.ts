import type { Method } from '@parley/contracts'
import { getSession, markBanned, setGuestSessionId } from '../session/index.ts'
import { ApiError, readApiError } from './error.ts'
import { languageHeader } from './language.ts'
import { apiOrigin, knownApiOrigin } from './origin.ts'
import { refreshToken } from './refresh.ts'
import { newTrace } from './trace.ts'

/** Milliseconds a call may take, its body included. */
export const defaultTimeoutMs = 15_000

/** `fetch`'s own options, with a deadline in milliseconds; 0 is none, for streams that have their own. */
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
  // Where nothing has to be waited for, the call is under way before the page draws what asked for it.
  const origin = knownApiOrigin() ?? (await apiOrigin())
  // A server of another origin would have to allow the header, so that it would know no name of ours.
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
  // An answer that was on its way while the person signed in must not make them a guest again.
  if (guestId && getSession().token === null) setGuestSessionId(guestId)
  return response
}

/** What a failed fetch or body read means: the caller's own abort stays what it is. @param requestId by which the server knows it if it came there */
export function asApiError(cause: unknown, requestId: string | null = null): unknown {
  const name = cause instanceof DOMException || cause instanceof Error ? cause.name : ''
  if (name === 'AbortError' || cause instanceof ApiError) return cause
  return new ApiError({ status: 0, code: name === 'TimeoutError' ? 'timeout' : 'network', requestId })
}

/**
 * Calls `/api<path>` with the session's credentials and answers the successful response, its body unread.
 * A token that ran out is replaced and the call repeated once. Throws ApiError for every refusal, and AbortError when `init.signal` aborts.
 */
export async function apiFetch(path: string, init: ApiInit = {}): Promise<Response> {
  const { token } = getSession()
  const response = await fetchOnce(path, init, token)
  if (response.ok || response.status === 304) return response
  const error = await readApiError(response)
  if (error.code === 'account_banned') markBanned()
  if (token === null || !['token_expired', 'unauthenticated'].includes(error.code)) throw error
  const repeatable = await refreshToken(token).catch(() => {
    throw new ApiError({ status: 0, code: 'network' })
  })
  if (!repeatable) throw error
  const second = await fetchOnce(path, init, getSession().token)
  if (second.ok || second.status === 304) return second
  throw await readApiError(second)
}

/** Where a call goes. `endpoints.ts` has them all. */
export interface Target {
  readonly method: Method
  /** Relative to `/api`, with `:name` for parameters. */
  readonly path: `/${string}`
}

/** What a call carries. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** Beside those of the session. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Milliseconds that the call may take; 15 s by default. */
  readonly timeoutMs?: number
  /** Names the call in the server's logs and in the audit log; 8 to 64 letters, digits, `_` and `-`. */
  readonly requestId?: string
}

/** The path of a target with its parameters and query filled in. */
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

/** The JSON of an answer; undefined for 204. Throws ApiError when it is none. */
export async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  return await response.json().catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw new ApiError({ status: response.status, code: 'unexpected' })
    throw asApiError(cause)
  })
}
