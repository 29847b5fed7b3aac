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
  type Locate,
  type Logger,
  requestIdHeader,
  servedPath,
  tooLargeBody,
  traceOutgoing,
  unavailable,
  writeError,
} from '@parley/kit'
import type { Exchange } from './exchange.ts'
import { setHeaders } from './headers.ts'
import { asOneWrite, oneWriteBytes, pipeAnswer } from './pipe-answer.ts'
import { requestHeaders } from './relayed-headers.ts'
import { type Failure, pauseBeforeRepeat, type RetryPolicy, readRetryPolicy } from './retry-policy.ts'

/** Milliseconds a service may be silent before and while it answers, by the kind of route. */
export interface RelayTimes {
  readonly answerMs: number
  readonly streamMs: number
  /** Silent for as long before a caller left, a replica is taken for one that hangs: no kept connection to its service is used again. */
  readonly suspectMs?: number
}
const usualTimes = { answerMs: 15_000, streamMs: 10 * 60_000 + 30_000, suspectMs: 2_000 }

/** What relaying uses. */
export interface RelayDeps {
  readonly identity: IdentityCodec
  readonly locate: Locate
  readonly log: Logger
  /** Instead of the product's own. */
  readonly relayTimes?: RelayTimes | undefined
}
/** Relays bytes both ways, unchanged; a side that goes away takes the other with it. A replica that leaves before it answers is replaced by another. */
export interface Relay {
  /** Answers by what the service of the route says. @throws AppError of a body that does not come as it should */
  relay(exchange: Exchange): Promise<void>
  close(): void
}

/** Where requests to a service are sent. */
interface Target extends Pick<RequestOptions, 'protocol' | 'host' | 'port'> {
  readonly prefix: string
}

/** Nothing is kept but free connections. */
export function createRelay(deps: RelayDeps): Relay {
  const kept = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  // For programs, which ask often and ask again what failed. Free ones go before a service that leaves closes them (`DRAIN_DELAY_MS`).
  const keptBriefly = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: 500 })
  // Without any agent Node.js makes one for each request and holds it while a stream is open.
  const fresh = new Agent({ keepAlive: false })
  // A kept connection may be closed at any time, which only some requests survive.
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
    const url = deps.locate(route.service)
    const { prefix, ...target } = targetOf(url)
    const sentAt = performance.now()
    let isAnswered = false
    // What becomes of a try after the next one was decided on is nobody's answer.
    let isReplaced = false
    const open = (headers: string[]): ClientRequest =>
      sendRequest({
        ...target,
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
      if (policy.body === undefined) leaveRestUnread(request, outgoing, answer)
    })
    outgoing.on('error', (error) => {
      // Connections that wait in an agent may lead to the same replica: whoever asks again would meet it there again and again.
      if (!isAnswered && performance.now() - sentAt >= suspectMs)
        for (const agent of [kept, keptBriefly]) dropFree(agent, url)
      if (isReplaced) return
      isReplaced = mayAnswer(response) && repeat(failureOf(error), exchange, policy)
      if (!isReplaced) answerFailure(deps.log, error, exchange)
    })
    sendBody(outgoing, exchange, policy)
  }
  /** True when the request is sent once more. */
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
    async relay(exchange) {
      const { request, response, route, principal } = exchange
      const policy = await readRetryPolicy(request, route, principal)
      if (response.destroyed) return
      response.once('close', () => {
        if (!response.writableFinished) policy.outgoing?.destroy()
      })
      send(exchange, policy)
    },
    close() {
      kept.destroy()
      keptBriefly.destroy()
    },
  }
}

function readTarget(url: string): Target {
  const { protocol, hostname, port, pathname } = new URL(url)
  // An address of IPv6 is named without its brackets.
  return { protocol, host: hostname.replace(/^\[|\]$/g, ''), port, prefix: pathname.replace(/\/$/, '') }
}

/** Closes the connections to a service that carry no request. */
function dropFree({ freeSockets }: Agent, url: string): void {
  const { host, port } = readTarget(url)
  // An agent's names of them begin with the address.
  for (const [name, sockets] of Object.entries(freeSockets)) {
    if (name.startsWith(`${host}:${port || 80}:`)) for (const socket of [...(sockets ?? [])]) socket.destroy()
  }
}

/** What a service is told: the caller's headers, who that is, and how much of a body comes. */
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

/** Sends the body that was kept, else passes it on as it comes. */
function sendBody(outgoing: ClientRequest, { request, route }: Exchange, { body }: RetryPolicy): void {
  if (body !== undefined) {
    if (body.length === 0) outgoing.end()
    else if (body.length <= oneWriteBytes) outgoing.end(asOneWrite(body), 'latin1')
    else outgoing.end(body)
    return
  }
  request.pipe(outgoing)
  // A body of unknown length is counted as it passes; the length of others was looked at before.
  if (request.headers['transfer-encoding'] === undefined) return
  let left = bodyLimitOf(route)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) outgoing.destroy(tooLargeBody(route))
  })
}

/** A service may answer before it has read all: what still comes is read and forgotten, as its sender may be deaf until it has sent all. */
function leaveRestUnread(request: IncomingMessage, outgoing: ClientRequest, answer: IncomingMessage): void {
  answer.once('close', () => {
    if (outgoing.writableFinished) return
    request.unpipe(outgoing)
    request.resume()
    outgoing.destroy()
  })
}

/** A replica that drains refuses what another one can begin, and closes the connection. */
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
    if (known.status >= 500) log.warn({ err: error, service: route.service, requestId }, 'a service did not answer')
  }
  writeError(known, request, response)
}
