import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Principal, Route } from '@parley/contracts'
import {
  AppError,
  bodyLimitOf,
  errorBody,
  type IdentityCodec,
  identityHeader,
  type Locate,
  type Logger,
  tooLargeBody,
  unavailable,
} from '@parley/kit'
import type { Request, RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { pipeAnswer } from './pipe-answer.ts'
import { type Failure, pauseBeforeRepeat, type RetryPolicy, readRetryPolicy } from './retry-policy.ts'

/** Milliseconds a service may be silent before and while it answers. */
const answerMs = 15_000
const streamMs = 10 * 60_000 + 30_000

/** Headers that only this gateway may set, that no service needs to see, or that speak of the caller's connection. */
const dropped =
  /^(x-identity$|x-user-|x-internal-|authorization$|proxy-|forwarded$|x-forwarded-|x-real-ip$|x-http-method|connection$|keep-alive$)/

/** Takes out of a request what no caller may say to a service. */
export function dropForeignHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (dropped.test(name)) delete headers[name]
}

/** What relaying uses. */
export interface RelayDeps {
  readonly identity: IdentityCodec
  readonly locate: Locate
  readonly log: Logger
}
/** What the gateway found out about a request before it relays it. */
export interface Relayed {
  readonly route: Route
  readonly principal: Principal
}

/** Relays bytes both ways, unchanged; a side that goes away takes the other with it. A replica that leaves before it answers is replaced by another. */
export interface Relay {
  readonly handle: RequestHandler
  close(): void
}

/** `response.locals.relayed` must hold a Relayed. */
export function createRelay(deps: RelayDeps): Relay {
  const kept = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  // Without any agent Node.js makes one for each request and holds it while a stream is open.
  const fresh = new Agent({ keepAlive: false })
  const retryPolicies = new WeakMap<IncomingMessage, RetryPolicy>()
  const retryPolicyOf = (request: IncomingMessage): RetryPolicy => retryPolicies.get(request) as RetryPolicy
  const proxy = (proxyTimeout: number) =>
    createProxyMiddleware<IncomingMessage, ServerResponse>({
      proxyTimeout,
      selfHandleResponse: true,
      router: (request, _response, options) => {
        const { body, repeatable, repeats } = retryPolicyOf(request)
        if (body !== undefined) options.buffer = Readable.from(body.length === 0 ? [] : [body])
        // A kept connection may be closed at any time, which only some requests survive.
        options.agent = repeatable === 'until-answered' && repeats === 0 ? kept : fresh
        return deps.locate(relayedOf(request).route.service)
      },
      // A placeholder: the router above names the target of each request.
      target: 'http://service.invalid',
      on: {
        proxyReq: (outgoing, request) => prepare(deps.identity, outgoing, request, retryPolicyOf(request)),
        proxyRes: (answer, request, response) => {
          if (isLeaving(answer) && repeat('leaving', request, response)) answer.resume()
          else pipeAnswer(answer, request, response)
        },
        error: (error, request, response) => {
          if (mayAnswer(response) && repeat(failureOf(error), request, response)) return
          answerFailure(deps.log, error, request, response)
        },
      },
    })
  const [answers, streams] = [proxy(answerMs), proxy(streamMs)]
  const send = (request: IncomingMessage, response: ServerResponse): void => {
    const handler = relayedOf(request).route.stream ? streams : answers
    void handler(request, response)
  }
  /** True when the request is sent once more. */
  const repeat = (failure: Failure | undefined, request: IncomingMessage, response: ServerResponse): boolean => {
    const policy = retryPolicyOf(request)
    const pauseMs = failure && pauseBeforeRepeat(policy, failure)
    if (pauseMs === undefined) return false
    policy.repeats += 1
    // Each try listens for the end of the response.
    response.setMaxListeners(0)
    setTimeout(() => {
      if (!response.destroyed) send(request, response)
    }, pauseMs)
    return true
  }
  return {
    async handle(request, response) {
      const { route, principal } = relayedOf(request)
      dropForeignHeaders(request)
      if (route.service !== 'auth') delete request.headers.cookie
      retryPolicies.set(request, await readRetryPolicy(request, route, principal))
      send(request, response)
    },
    close: () => kept.destroy(),
  }
}

/** The proxy's callbacks are handed the request only; Express links its response to it. */
function relayedOf(request: IncomingMessage): Relayed {
  return (request as Request).res?.locals.relayed as Relayed
}

function prepare(
  identity: IdentityCodec,
  outgoing: ClientRequest,
  request: IncomingMessage,
  policy: RetryPolicy,
): void {
  const { route, principal } = relayedOf(request)
  outgoing.setHeader(identityHeader, identity.sign(principal))
  outgoing.once('timeout', () => {
    policy.late = true
  })
  // A body of unknown length is counted as it passes; the length of others was looked at before.
  if (request.headers['transfer-encoding'] === undefined) return
  let left = bodyLimitOf(route)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) outgoing.destroy(tooLargeBody(route))
  })
}

/** A replica that drains refuses what another one can begin, and closes the connection. */
const isLeaving = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 503 && headers.connection === 'close'

function failureOf(error: Error & { syscall?: string }): Failure | undefined {
  if (error instanceof AppError) return undefined
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo' ? 'refused' : 'reset'
}

const mayAnswer = (response: ServerResponse | Socket): response is ServerResponse =>
  'setHeader' in response && !response.headersSent && !response.destroyed

function answerFailure(log: Logger, error: Error, request: IncomingMessage, response: ServerResponse | Socket): void {
  if (!mayAnswer(response)) {
    response.destroy()
    return
  }
  const known = error instanceof AppError ? error : unavailable(error)
  const relayed = relayedOf(request)
  if (known.status >= 500) log.warn({ err: error, service: relayed.route.service }, 'a service did not answer')
  for (const [name, value] of Object.entries(known.headers)) response.setHeader(name, value)
  response.statusCode = known.status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(errorBody(known, relayed.principal.requestId)))
}
