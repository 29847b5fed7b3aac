import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Principal, Route } from '@parley/contracts'
import {
  AppError,
  bodyLimitOf,
  errorAnswer,
  type IdentityCodec,
  identityHeader,
  type Locate,
  type Logger,
  requestIdHeader,
  requestIdOf,
  servedPath,
  tooLargeBody,
  traceOutgoing,
  unavailable,
} from '@parley/kit'
import type { Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { pipeAnswer } from './pipe-answer.ts'
import { type Failure, pauseBeforeRepeat, type RetryPolicy, readRetryPolicy } from './retry-policy.ts'

/** Milliseconds a service may be silent before and while it answers, by the kind of route. */
export interface RelayTimes {
  readonly answerMs: number
  readonly streamMs: number
  /** Silent for as long before a caller left, a replica is taken for one that hangs: no kept connection to its service is used again. */
  readonly suspectMs?: number
}
const usualTimes = { answerMs: 15_000, streamMs: 10 * 60_000 + 30_000, suspectMs: 2_000 }

/** Headers that only this gateway may set, that no service needs to see, or that speak of the caller's connection. */
const dropped =
  /^(traceparent$|tracestate$|baggage$|x-identity$|x-user-|x-api-key$|x-internal-|authorization$|proxy-|forwarded$|x-forwarded-|x-real-ip$|x-http-method|connection$|keep-alive$)/

/** Takes out of a request what no caller may say to a service. */
export function dropForeignHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (dropped.test(name)) delete headers[name]
}

/** What relaying uses. */
export interface RelayDeps {
  readonly identity: IdentityCodec
  readonly locate: Locate
  readonly log: Logger
  /** Instead of the product's own. */
  readonly relayTimes?: RelayTimes | undefined
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
  // For programs, which ask often and ask again what failed. Free ones go before a service that leaves closes them (`DRAIN_DELAY_MS`).
  const keptBriefly = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: 500 })
  // Without any agent Node.js makes one for each request and holds it while a stream is open.
  const fresh = new Agent({ keepAlive: false })
  const retryPolicies = new WeakMap<IncomingMessage, RetryPolicy>()
  const retryPolicyOf = (request: IncomingMessage): RetryPolicy => retryPolicies.get(request) as RetryPolicy
  // A kept connection may be closed at any time, which only some requests survive.
  const agentOf = ({ repeatable, repeats }: RetryPolicy, { access }: Route): Agent => {
    if (repeats > 0) return fresh
    if (repeatable === 'until-answered') return kept
    return access === 'key' ? keptBriefly : fresh
  }
  const proxy = (proxyTimeout: number) =>
    createProxyMiddleware<IncomingMessage, ServerResponse>({
      proxyTimeout,
      selfHandleResponse: true,
      router: (request, _response, options) => {
        const policy = retryPolicyOf(request)
        const { route } = relayedOf(request)
        // Of a buffer, unlike of a list, it is made without an iterator; an empty one would be sent as a chunk.
        if (policy.body !== undefined) options.buffer = Readable.from(policy.body.length === 0 ? [] : policy.body)
        options.agent = agentOf(policy, route)
        policy.target = deps.locate(route.service)
        return policy.target
      },
      // A placeholder: the router above names the target of each request.
      target: 'http://service.invalid',
      on: {
        proxyReq: (outgoing, request) => {
          const policy = retryPolicyOf(request)
          prepare(deps.identity, outgoing, request, policy)
          watchSilence(outgoing, policy)
        },
        proxyRes: (answer, request, response) => {
          retryPolicyOf(request).isAnswered = true
          if (isLeaving(answer) && repeat('leaving', request, response)) answer.resume()
          else pipeAnswer(answer, request, response)
        },
        error: (error, request, response) => {
          if (mayAnswer(response) && repeat(failureOf(error), request, response)) return
          answerFailure(deps.log, error, request, response)
        },
      },
    })
  const { answerMs, streamMs, suspectMs } = { ...usualTimes, ...deps.relayTimes }
  /** Connections that wait in an agent may lead to the same replica: whoever asks again would meet it there again and again. */
  const watchSilence = (outgoing: ClientRequest, policy: RetryPolicy): void => {
    const sentAt = performance.now()
    policy.isAnswered = false
    outgoing.once('close', () => {
      if (policy.isAnswered || performance.now() - sentAt < suspectMs) return
      for (const agent of [kept, keptBriefly]) dropFree(agent, policy.target)
    })
  }
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
    close() {
      kept.destroy()
      keptBriefly.destroy()
    },
  }
}

/** Closes the connections to a service that carry no request. */
function dropFree({ freeSockets }: Agent, target: string): void {
  const { hostname, port } = new URL(target)
  // An agent's names of them begin with the address.
  for (const [name, sockets] of Object.entries(freeSockets)) {
    if (name.startsWith(`${hostname}:${port || 80}:`)) for (const socket of [...(sockets ?? [])]) socket.destroy()
  }
}

/** The proxy's callbacks are handed the request only; Express links its response to it. */
const responseOf = (request: IncomingMessage): Response => (request as Request).res as Response
const relayedOf = (request: IncomingMessage): Relayed => responseOf(request).locals.relayed as Relayed

function prepare(
  identity: IdentityCodec,
  outgoing: ClientRequest,
  request: IncomingMessage,
  policy: RetryPolicy,
): void {
  const { route, principal } = relayedOf(request)
  outgoing.setHeader(identityHeader, identity.sign(principal))
  traceOutgoing('gateway', `${route.method} ${servedPath(route)}`, outgoing)
  outgoing.setHeader(requestIdHeader, requestIdOf(responseOf(request)))
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
  const requestId = requestIdOf(responseOf(request))
  if (known.status >= 500)
    log.warn({ err: error, service: relayedOf(request).route.service, requestId }, 'a service did not answer')
  const { headers, body } = errorAnswer(known, requestId, request.url ?? '', request.headers)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = known.status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(body))
}
