import { errorBodySchema, type Route, type ServiceName } from '@parley/contracts'
import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import { AppError, unavailable } from './app-error.ts'
import { type IdentityCodec, identityHeader } from './identity.ts'
import { newId } from './ids.ts'
import { callPath } from './paths.ts'

/** Base URL of a service, looked up per call. */
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
  /** Milliseconds for the whole call, or to the headers of a stream; 5 s unless told. */
  readonly timeoutMs?: number
  /** Of the request that this call serves. */
  readonly requestId?: string
  /** Asked once more when the connection fails before any of the answer came, as a replica that leaves takes its connections along; as GET always is. */
  readonly repeat?: boolean
}

/** Calls routes of other services with this service's own identity. */
export interface ServiceClient {
  /** @throws AppError as the other service gave it; `unavailable` when it cannot be reached or answers nonsense. */
  call<R extends Route>(route: R, options?: CallOptions<R>): Promise<Answer<R>>
  /** The raw answer of a stream route, status 200. Errors as `call`. */
  open<R extends Route>(route: R, options?: CallOptions<R>): Promise<Dispatcher.ResponseData['body']>
  close(): Promise<void>
}

/** Who calls, where the others are, and what signs the calls. */
export interface ServiceClientDeps {
  readonly self: ServiceName
  readonly locate: Locate
  readonly identity: IdentityCodec
}

/** A client over one keep-alive pool; opens connections on demand. */
export function createServiceClient(deps: ServiceClientDeps): ServiceClient {
  const dispatcher = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 })
  const send = async (route: Route, options: CallOptions<Route>): Promise<Dispatcher.ResponseData> => {
    const requestId = options.requestId ?? newId()
    const principal = { kind: 'service', service: deps.self, network: 'internal', requestId } as const
    const body = options.body === undefined ? null : JSON.stringify(options.body)
    const ask = () =>
      request(deps.locate(route.service) + pathOf(route, options), {
        method: route.method,
        dispatcher,
        signal: options.signal ?? null,
        headers: { [identityHeader]: deps.identity.sign(principal), 'content-type': 'application/json' },
        body,
      })
    const repeat = options.repeat ?? route.method === 'GET'
    try {
      return await ask().catch((error: unknown) => {
        if (repeat && isCutOff(error)) return ask()
        throw error
      })
    } catch (error) {
      throw unavailable(error)
    }
  }
  return {
    async call(route, options = {}) {
      const deadline = AbortSignal.timeout(options.timeoutMs ?? 5_000)
      const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline])
      const response = await send(route, { ...options, signal } as CallOptions<Route>)
      const body = await readJson(response)
      if (response.statusCode >= 400) throw remoteError(response, body)
      return parseAnswer(route, body)
    },
    async open(route, options = {}) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), options.timeoutMs ?? 5_000)
      const signal = options.signal === undefined ? late.signal : AbortSignal.any([options.signal, late.signal])
      const response = await send(route, { ...options, signal } as CallOptions<Route>).finally(() =>
        clearTimeout(timer),
      )
      if (response.statusCode >= 400) throw remoteError(response, await readJson(response))
      return response.body
    },
    close: () => dispatcher.destroy(),
  }
}

function pathOf(route: Route, { params, query }: CallOptions<Route>): string {
  const path = callPath(route, params as Record<string, string> | undefined)
  const given = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return given.length === 0 ? path : `${path}?${text}`
}

/** The words of the system and of undici for a connection that could not be made or was closed by the other side. */
const cutOff = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
const isCutOff = (error: unknown): boolean => cutOff.test(String((error as { code?: unknown } | null)?.code))

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
