import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { defaultBodyLimit, type Principal, type Route } from '@parley/contracts'
import {
  AppError,
  errorBody,
  type IdentityCodec,
  identityHeader,
  type Locate,
  type Logger,
  unavailable,
} from '@parley/kit'
import type { Request, RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

/** Milliseconds a service may be silent before and while it answers. */
const answerMs = 15_000
const streamMs = 10 * 60_000 + 30_000

/** Headers that only this gateway may set, or that no service needs to see. */
const dropped =
  /^(x-identity$|x-user-|x-internal-|authorization$|proxy-|forwarded$|x-forwarded-|x-real-ip$|x-http-method)/

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

/** Relays bytes both ways, neither parsed nor gathered; a side that goes away takes the other with it. */
export interface Relay {
  readonly handle: RequestHandler
  close(): void
}

/** `response.locals.relayed` must hold a Relayed. */
export function createRelay(deps: RelayDeps): Relay {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  const proxy = (proxyTimeout: number): RequestHandler =>
    createProxyMiddleware<IncomingMessage, ServerResponse>({
      agent,
      proxyTimeout,
      router: (request) => deps.locate(relayedOf(request).route.service),
      // A placeholder: the router above names the target of each request.
      target: 'http://service.invalid',
      on: {
        proxyReq: (outgoing, request) => prepare(deps.identity, outgoing, request),
        proxyRes: keepVary,
        error: (error, request, response) => answerFailure(deps.log, error, request, response),
      },
    })
  const answers = proxy(answerMs)
  const streams = proxy(streamMs)
  return {
    handle(request, response, next) {
      const { route } = relayedOf(request)
      for (const name of Object.keys(request.headers)) if (dropped.test(name)) delete request.headers[name]
      if (route.service !== 'auth') delete request.headers.cookie
      const handler = route.stream ? streams : answers
      handler(request, response, next)
    },
    close: () => agent.destroy(),
  }
}

/** The proxy's callbacks are handed the request only; Express links its response to it. */
function relayedOf(request: IncomingMessage): Relayed {
  return (request as Request).res?.locals.relayed as Relayed
}

function prepare(identity: IdentityCodec, outgoing: ClientRequest, request: IncomingMessage): void {
  const { route, principal } = relayedOf(request)
  outgoing.setHeader(identityHeader, identity.sign(principal))
  // A body of unknown length is counted as it passes; the length of others was looked at before.
  if (request.headers['content-length'] !== undefined) return
  let left = route.bodyLimit ?? defaultBodyLimit
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) outgoing.destroy(new AppError('payload_too_large', 'The request is too large'))
  })
}

/** The service's `vary` takes the place of ours, which caches need as well. */
function keepVary(answer: IncomingMessage): void {
  if (answer.headers.vary !== undefined) answer.headers.vary = `Origin, ${answer.headers.vary}`
}

function answerFailure(log: Logger, error: Error, request: IncomingMessage, response: ServerResponse | Socket): void {
  if (!('setHeader' in response) || response.headersSent || response.destroyed) {
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
