import type { Principal, Route } from '@parley/contracts'
import { callPath, type IdentityCodec, identityHeader, type PathParts } from '@parley/kit'
import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'

export { callPath as pathOf } from '@parley/kit'

type Input<S> = S extends z.ZodType ? z.input<S> : undefined
type Output<S> = S extends z.ZodType ? z.output<S> : never
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Options of a call; `raw` is sent unchanged instead of a JSON `body`. */
export interface ApiOptions {
  readonly body?: unknown
  readonly raw?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}
export interface RouteOptions<R extends Route> extends Omit<ApiOptions, 'body'>, PathParts {
  readonly body?: Input<NonNullable<R['body']>>
}

/** A complete answer. `body` is parsed JSON; undefined if the answer is not JSON. */
export interface ApiAnswer<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}
/** A streamed answer. Abort the call's signal or destroy `body` to disconnect. */
export interface OpenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Dispatcher.ResponseData['body']
}

/** Calls one service or the gateway as one principal. Paths are as served, with `/api`. */
export type ApiCaller = ReturnType<typeof createCaller>
/** An anonymous caller that can take on identities. */
export type ApiClient = ReturnType<typeof apiClient>

/** A client of a running service or gateway; every call has its own connection. */
export function apiClient(url: string, identity?: IdentityCodec) {
  const dispatcher = new Agent({ pipelining: 0, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const caller = (headers: () => Record<string, string>): ApiCaller =>
    createCaller((method, path, options) => request(url + path, sent(method, dispatcher, headers(), options)))
  return {
    ...caller(() => ({})),
    /** A caller with this signed identity and these headers. Needs the codec. */
    as(principal: Principal, more?: Readonly<Record<string, string>>): ApiCaller {
      if (identity === undefined) throw new Error('apiClient was made without an identity codec')
      // Signed per call, because a statement is only valid for a minute.
      return caller(() => ({ [identityHeader]: identity.sign(principal), ...more }))
    },
    /** A caller with these headers, such as a bearer token; a function is evaluated per call. */
    with: (headers: Readonly<Record<string, string>> | (() => Record<string, string>)) =>
      caller(typeof headers === 'function' ? headers : () => ({ ...headers })),
    close: () => dispatcher.destroy(),
  }
}

function sent(method: string, dispatcher: Dispatcher, identity: Record<string, string>, options: ApiOptions) {
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  return {
    method: method as Dispatcher.HttpMethod,
    dispatcher,
    body: body ?? null,
    signal: options.signal ?? null,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...identity, ...options.headers },
  }
}

type Send = (method: string, path: string, options: ApiOptions) => Promise<Dispatcher.ResponseData>

function createCaller(start: Send) {
  const send = async (method: string, path: string, options: ApiOptions = {}): Promise<ApiAnswer> => {
    const answer = await start(method, path, options)
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, text, body: parseJson(text) }
  }
  const open = async (method: string, path: string, options: ApiOptions = {}): Promise<OpenAnswer> => {
    const answer = await start(method, path, options)
    // A test that does not read an answer or aborts it must not fail with an unhandled error.
    answer.body.on('error', () => undefined)
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, options: ApiOptions = {}) =>
      send(method, path, { ...options, body })
  return {
    /** Any call; resolves to the complete answer. */
    send,
    /** Any call; resolves to the streamed answer. */
    open,
    get: (path: string, options?: ApiOptions) => send('GET', path, options),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
    /** A call of a contract route; the answer's body is typed by the route, but not validated. */
    call: <R extends Route>(route: R, options: RouteOptions<R> = {}) =>
      send(route.method, callPath(route, options), options) as Promise<ApiAnswer<Output<R['answer']>>>,
    /** A call of a contract route with a streamed answer. */
    stream: <R extends Route>(route: R, options: RouteOptions<R> = {}) =>
      open(route.method, callPath(route, options), options),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON; the text is available.
    return undefined
  }
}
