import { errorBodySchema, type Principal, type Route, type ServiceName } from '@parley/contracts'
import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import { pause } from '../async/wakeup.ts'
import { AppError, unavailable } from '../errors/app-error.ts'
import { callPath, type PathParts, servedPath } from '../http/paths.ts'
import { requestIdHeader } from '../http/request-id.ts'
import { type IdentityCodec, identityHeader } from '../identity/identity.ts'
import { newId } from '../ids.ts'
import { inSpan, traceHeaders } from '../observability/tracing/spans.ts'
import { replicaUrl } from './replica-address.ts'
import { readServiceAddress } from './service-address.ts'

/** Where a service listens, looked up per call: its base URL, or the location of a socket (`readServiceAddress`). */
export type Locate = (service: ServiceName) => string

type Input<S> = S extends z.ZodType ? z.input<S> : undefined
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Answer<R extends Route> = Output<NonNullable<R['answer']>>
/** What a call of another service's route sends, and how long it may take. */
export interface CallOptions<R extends Route> {
  readonly params?: Input<NonNullable<R['params']>>
  readonly query?: Input<NonNullable<R['query']>>
  readonly body?: Input<NonNullable<R['body']>>
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call, or to the headers of a stream; 5 s by default. */
  readonly timeoutMs?: number
  /** Of the request that this call serves. */
  readonly requestId?: string
  /** Repeated when the connection breaks before any of the answer came, as a replica that leaves takes its connections along; as GET always is. */
  readonly repeat?: boolean
  /** Asks the replica that told this address, by `replicaAddressOf`, where that may be called; else any. */
  readonly replica?: string | undefined
}

export type ServiceClient = ReturnType<typeof createServiceClient>

/** Who calls, where the others are, and what signs the calls. */
export interface ServiceClientDeps {
  readonly self: ServiceName
  readonly locate: Locate
  readonly identity: IdentityCodec
}

/** Calls routes of other services with this service's own identity, over keep-alive pools; opens connections on demand. */
export function createServiceClient(deps: ServiceClientDeps) {
  const dispatchers = new Map<string | undefined, Agent>()
  const dispatcherOf = (socketPath: string | undefined): Agent => {
    const found = dispatchers.get(socketPath)
    if (found !== undefined) return found
    const timeouts = { keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 }
    const made = new Agent({ ...timeouts, ...(socketPath && { connect: { socketPath } }) })
    dispatchers.set(socketPath, made)
    return made
  }
  const self: Principal = { kind: 'service', service: deps.self, network: 'internal' }
  const ask = async (route: Route, options: CallOptions<Route>): Promise<Dispatcher.ResponseData> => {
    const headers = {
      [identityHeader]: deps.identity.sign(self),
      [requestIdHeader]: options.requestId ?? newId(),
      'content-type': 'application/json',
      ...traceHeaders(),
    }
    const body = options.body === undefined ? null : JSON.stringify(options.body)
    const once = () => {
      const { url, socketPath } = readServiceAddress(deps.locate(route.service))
      const base = (options.replica === undefined ? undefined : replicaUrl(url, options.replica)) ?? url
      return request(base + callPath(route, options as PathParts), {
        method: route.method,
        dispatcher: dispatcherOf(socketPath),
        signal: options.signal ?? null,
        headers,
        body,
      })
    }
    const repeat = options.repeat ?? route.method === 'GET'
    try {
      return await askReplicas(once, { ...options, repeat })
    } catch (error) {
      throw unavailable(error)
    }
  }
  /** The span ends with the headers of the answer. */
  const send = (route: Route, options: CallOptions<Route>): Promise<Dispatcher.ResponseData> => {
    const attributes = { 'http.request.method': route.method, 'peer.service': route.service }
    return inSpan(deps.self, `${route.method} ${servedPath(route)}`, { kind: 'client', attributes }, async (span) => {
      const response = await ask(route, options)
      span.setAttribute('http.response.status_code', response.statusCode)
      return response
    })
  }
  return {
    /** @throws AppError as the other service gave it; `unavailable` when it cannot be reached or answers nonsense. */
    async call<R extends Route>(route: R, options: CallOptions<R> = {}): Promise<Answer<R>> {
      const { response, body } = await inTime(options, async (signal) => {
        const response = await send(route, { ...options, signal } as CallOptions<Route>)
        return { response, body: await readJson(response) }
      })
      if (response.statusCode >= 400) throw remoteError(response, body)
      return parseAnswer(route, body)
    },
    /** The raw answer of a stream route, status 200. Errors as `call`. */
    async open<R extends Route>(route: R, options: CallOptions<R> = {}): Promise<Dispatcher.ResponseData['body']> {
      return await inTime(options, async (signal) => {
        const response = await send(route, { ...options, signal } as CallOptions<Route>)
        if (response.statusCode >= 400) throw remoteError(response, await readJson(response))
        return response.body
      })
    },
    async close(): Promise<void> {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

/** Work whose signal aborts when its time is over, or when the caller's own does. Its timer ends with it, whereas `AbortSignal.timeout` aborts after every call. */
async function inTime<T>(
  { signal, timeoutMs = 5_000 }: Pick<CallOptions<Route>, 'signal' | 'timeoutMs'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await work(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** The words of the system and of undici for a connection that was closed by the other side. */
const cutOff = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
/** The system's for one that could not be made; ENOENT for a Unix socket. */
const notConnected = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOENT)$/
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Before each further attempt, in milliseconds: until the load balancer has noticed that a replica left, and this client that its other connections led there. */
const attemptPausesMs = [50, 200]

/**
 * Asks again while no connection can be made, since nothing was sent then, and if the call is repeatable also when one breaks. One certain replica that
 * has gone does not come back.
 */
async function askReplicas<T>(
  ask: () => Promise<T>,
  { signal = new AbortController().signal, replica, repeat }: Pick<CallOptions<Route>, 'signal' | 'replica' | 'repeat'>,
): Promise<T> {
  for (const pauseMs of replica === undefined ? attemptPausesMs : []) {
    try {
      return await ask()
    } catch (error) {
      const code = codeOf(error)
      if (signal.aborted || !(notConnected.test(code) || (repeat && cutOff.test(code)))) throw error
      await pause(pauseMs, signal)
    }
  }
  return await ask()
}

async function readJson(response: Dispatcher.ResponseData): Promise<unknown> {
  try {
    const body = await response.body.text()
    return body === '' ? undefined : JSON.parse(body)
  } catch (error) {
    throw unavailable(error)
  }
}

function remoteError({ headers }: Dispatcher.ResponseData, body: unknown): AppError {
  const parsed = errorBodySchema.safeParse(body)
  if (!parsed.success || parsed.data.code === 'internal_error' || parsed.data.code === 'unauthenticated')
    return unavailable(body)
  const told = passedOn.filter((name) => headers[name] !== undefined)
  return new AppError(parsed.data.code, parsed.data.error, {
    details: parsed.data.details,
    current: parsed.data.current,
    headers: Object.fromEntries(told.map((name) => [name, String(headers[name])])),
  })
}

/** What a refusal says of when the call may be made again, which holds for the caller's caller too. */
const passedOn = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']

function parseAnswer<R extends Route>(route: R, body: unknown): Answer<R> {
  if (route.answer === undefined) return undefined as Answer<R>
  const parsed = route.answer.safeParse(body)
  if (!parsed.success) throw unavailable(parsed.error)
  return parsed.data as Answer<R>
}
