import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { Route } from '@parley/contracts'
import {
  AppError,
  bodyLimitOf,
  type IdentityCodec,
  identityHeader,
  type Logger,
  readServiceAddress,
  requestIdHeader,
  servedPath,
  tooLargeBody,
  traceOutgoing,
  unavailable,
  writeError,
} from '@parley/kit'
import type { GatewayServiceDeps } from '../deps.ts'
import type { Exchange } from './exchange.ts'
import { setHeaders } from './headers.ts'
import { asOneWrite, oneWriteBytes, pipeAnswer } from './pipe-answer.ts'
import { requestHeaders } from './relayed-headers.ts'
import { type Failure, pauseBeforeRepeat, type RetryPolicy, readRetryPolicy } from './retry-policy.ts'

const usualTimes = { answerMs: 15_000, streamMs: 10 * 60_000 + 30_000, suspectMs: 2_000 }

type RelayDeps = Pick<GatewayServiceDeps, 'identity' | 'locate' | 'log' | 'relayTimes'>
/** Relays bytes unchanged in both directions; when one side closes, so does the other. Retries on another replica if one leaves before it responds. */
export type Relay = ReturnType<typeof createRelay>

/** The address of a service. */
interface Target extends Pick<RequestOptions, 'protocol' | 'host' | 'port' | 'socketPath'> {
  readonly prefix: string
}

/** Keeps no state except idle connections. */
export function createRelay(deps: RelayDeps) {
  const kept = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  // For retryable requests. The idle timeout is shorter than a draining service keeps connections open (`DRAIN_DELAY_MS`).
  const keptBriefly = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: 500 })
  // An explicit agent: without one, Node.js creates an agent per request and holds it while a stream is open.
  const fresh = new Agent({ keepAlive: false })
  // A kept connection may be closed at any time, so only retryable requests use one.
  const agentOf = ({ repeatable, repeats }: RetryPolicy, { access }: Route): Agent => {
    if (repeats > 0) return fresh
    if (repeatable === 'until-answered') return kept
    return access === 'key' ? keptBriefly : fresh
  }
  const targets = new Map<string, Target>()
  const targetOf = (url: string): Target => {
    const target = targets.get(url) ?? readTarget(url)
    targets.set(url, target)
    return target
  }
  const { answerMs, streamMs, suspectMs } = { ...usualTimes, ...deps.relayTimes }
  const send = (exchange: Exchange, policy: RetryPolicy): void => {
    const { request, response, route } = exchange
    const target = targetOf(deps.locate(route.service))
    const { prefix, ...address } = target
    const sentAt = performance.now()
    let isAnswered = false
    // The outcome of an attempt is ignored once it was replaced by a retry.
    let isReplaced = false
    const open = (headers: string[]): ClientRequest =>
      sendRequest({
        ...address,
        path: prefix + request.url,
        method: request.method,
        headers,
        agent: agentOf(policy, route),
        timeout: route.stream ? streamMs : answerMs,
      })
    const outgoing = traceOutgoing('gateway', `${route.method} ${servedPath(route)}`, (traced) =>
      open(headersFor(deps.identity, exchange, policy, traced)),
    )
    policy.outgoing = outgoing
    outgoing.once('timeout', () => {
      policy.late = true
      outgoing.destroy()
    })
    outgoing.once('response', (answer) => {
      isAnswered = true
      isReplaced = isLeaving(answer) && repeat('leaving', exchange, policy)
      if (isReplaced) {
        answer.resume()
        return
      }
      pipeAnswer(answer, exchange)
      if (policy.body === undefined) drainRest(request, outgoing, answer)
    })
    outgoing.on('error', (error) => {
      // Idle connections of the agent may lead to the same hanging replica, so retries would reach it again and again.
      if (!isAnswered && performance.now() - sentAt >= suspectMs)
        for (const agent of [kept, keptBriefly]) dropFree(agent, target)
      if (isReplaced) return
      isReplaced = mayAnswer(response) && repeat(failureOf(error), exchange, policy)
      if (!isReplaced) answerFailure(deps.log, error, exchange)
    })
    sendBody(outgoing, exchange, policy)
  }
  /** True when the request is retried. */
  const repeat = (failure: Failure | undefined, exchange: Exchange, policy: RetryPolicy): boolean => {
    const pauseMs = failure && pauseBeforeRepeat(policy, failure)
    if (pauseMs === undefined) return false
    policy.repeats += 1
    setTimeout(() => {
      if (!exchange.response.destroyed) send(exchange, policy)
    }, pauseMs)
    return true
  }
  return {
    /** Responds with the service's answer. @throws AppError when the request's body does not arrive as it should */
    async relay(exchange: Exchange): Promise<void> {
      const { request, response, route, principal } = exchange
      const policy = await readRetryPolicy(request, route, principal)
      if (response.destroyed) return
      response.once('close', () => {
        if (!response.writableFinished) policy.outgoing?.destroy()
      })
      send(exchange, policy)
    },
    close(): void {
      kept.destroy()
      keptBriefly.destroy()
    },
  }
}

function readTarget(location: string): Target {
  const { url, socketPath } = readServiceAddress(location)
  const { protocol, hostname, port, pathname } = new URL(url)
  // `host` takes an IPv6 address without brackets.
  const host = hostname.replace(/^\[|\]$/g, '')
  return { protocol, host, port, ...(socketPath && { socketPath }), prefix: pathname.replace(/\/$/, '') }
}

/** Closes idle connections to a service. */
function dropFree(agent: Agent, { prefix, port, ...target }: Target): void {
  for (const socket of [...(agent.freeSockets[agent.getName({ ...target, port: port || 80 })] ?? [])]) socket.destroy()
}

/** The headers for the service: the caller's, a statement of identity, and the length of the body. */
function headersFor(
  identity: IdentityCodec,
  { request, route, principal, requestId }: Exchange,
  { body }: RetryPolicy,
  traced: Readonly<Record<string, string>>,
): string[] {
  const headers = requestHeaders(request, route.service === 'auth')
  headers.push(identityHeader, identity.sign(principal), requestIdHeader, requestId)
  for (const name in traced) headers.push(name, traced[name] as string)
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (body === undefined && encoding !== undefined) headers.push('transfer-encoding', 'chunked')
  else if (length !== undefined) headers.push('content-length', length)
  else if (route.method !== 'GET') headers.push('content-length', '0')
  return headers
}

/** Sends the buffered body, or else pipes it. */
function sendBody(outgoing: ClientRequest, { request, route }: Exchange, { body }: RetryPolicy): void {
  if (body !== undefined) {
    if (body.length === 0) outgoing.end()
    else if (body.length <= oneWriteBytes) outgoing.end(asOneWrite(body), 'latin1')
    else outgoing.end(body)
    return
  }
  request.pipe(outgoing)
  limitChunkedBody(request, outgoing, route)
}

/** Counts a chunked body as it passes, and refuses it over its limit, by default the one of every route; declared lengths are checked before. */
export function limitChunkedBody(
  request: IncomingMessage,
  outgoing: ClientRequest,
  limits: Pick<Route, 'bodyLimit' | 'tooLarge'> = {},
): void {
  if (request.headers['transfer-encoding'] === undefined) return
  let left = bodyLimitOf(limits)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) outgoing.destroy(tooLargeBody(limits))
  })
}

/** The service may respond before it has read the whole body: the rest is drained, because the sender may not read until it has sent all of it. */
function drainRest(request: IncomingMessage, outgoing: ClientRequest, answer: IncomingMessage): void {
  answer.once('close', () => {
    if (outgoing.writableFinished) return
    request.unpipe(outgoing)
    request.resume()
    outgoing.destroy()
  })
}

/** A draining replica refuses a request that another replica can take, and closes the connection. */
const isLeaving = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 503 && headers.connection === 'close'

function failureOf(error: Error & { syscall?: string }): Failure | undefined {
  if (error instanceof AppError) return undefined
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo' ? 'refused' : 'reset'
}

const mayAnswer = (response: ServerResponse): boolean => !response.headersSent && !response.destroyed

function answerFailure(log: Logger, error: Error, { request, response, route, requestId, headers }: Exchange): void {
  const known = error instanceof AppError ? error : unavailable(error)
  if (mayAnswer(response)) {
    setHeaders(response, headers)
    if (known.status >= 500) log.warn({ err: error, service: route.service, requestId }, 'a service did not respond')
  }
  writeError(known, request, response)
}
