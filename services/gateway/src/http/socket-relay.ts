import { Agent, type ClientRequest, type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { defaultBodyLimit, socketAddress } from '@parley/contracts'
import {
  AppError,
  createOwnAddresses,
  identityHeader,
  type Logger,
  notFound,
  readServiceAddress,
  replicaUrlOfId,
  tooLargeBody,
  type Upgrades,
  unavailable,
  writeRefusal,
} from '@parley/kit'
import type { RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import type { GatewayServiceDeps } from '../deps.ts'
import { clientAddress, networkBucket } from '../network.ts'
import { setHeaders } from './headers.ts'
import { allowOrigin, originHeaderList } from './origin.ts'
import { limitChunkedBody } from './relay.ts'
import { dropForeignHeaders } from './relayed-headers.ts'
import { isAmbiguous } from './request-smuggling.ts'

/** How long realtime may be silent before it responds, in milliseconds: a poll waits for the next event or ping. */
const answerMs = 60_000
/** Milliseconds to connect in: an address that no replica has any more may swallow all attempts. */
const connectMs = 2_000
/** Milliseconds over which a leaving gateway spreads the closing of its connections, so that clients do not all reconnect at once. */
const drainMs = 2_000

type SocketRelayDeps = Pick<
  GatewayServiceDeps,
  'publicUrl' | 'extraOrigins' | 'trustedProxies' | 'identity' | 'locate' | 'log'
>

/**
 * Relays sockets, by WebSocket or polling, to realtime, which authenticates them. A session that polls is kept in the memory of one replica: its id says
 * which one, so that any gateway can relay its requests.
 */
export interface SocketRelay {
  /** Handles polling; passes other paths on. */
  readonly handler: RequestHandler
  readonly upgrades: Upgrades
  /** Closes the connections one by one and accepts no new ones. */
  drain(): void
}

/** True for the exact path of sockets only. */
const isSocketPath = (url = ''): boolean => url.split('?', 1)[0] === `${socketAddress.path}/`

/** Keeps no state except open connections. */
export function createSocketRelay({ publicUrl, extraOrigins, ...deps }: SocketRelayDeps): SocketRelay {
  const open = new Set<Duplex>()
  const own = createOwnAddresses(publicUrl, extraOrigins)
  let draining = false
  /** @param begins whether the request begins a connection; one that polls goes on through another gateway, and meanwhile through this one */
  const check = (request: IncomingMessage, begins: boolean): void => {
    if (draining && begins) throw unavailable()
    if (isAmbiguous(request)) throw new AppError('validation_failed', 'The request couldn’t be read')
    own.refuseForeignHost(request.headers)
    own.refuseForeignOrigin(request.headers)
  }
  const replicaOf = (request: IncomingMessage): string | undefined =>
    replicaUrlOfId(deps.identity, { name: 'realtime', url: deps.locate('realtime') }, sessionOf(request) ?? '')
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    proxyTimeout: answerMs,
    // One connection per request: a kept one may be closed just when it is used, and the library's own agent lets only 256 clients wait at once.
    agent: new Agent({ keepAlive: false }),
    router: (request) => targetAt(replicaOf(request) ?? deps.locate('realtime')),
    // A placeholder: the router above looks up the address for each request.
    target: 'http://service.invalid',
    on: {
      proxyReq(outgoing, request) {
        limitChunkedBody(request, outgoing)
        limitConnecting(outgoing)
      },
      proxyReqWs: (outgoing, _request, connection) => tie(outgoing, connection),
      error(error, request, to) {
        if (isUnconnected(error) && to instanceof ServerResponse && replicaOf(request) !== undefined) endSession(to)
        else refuse(to, error instanceof AppError ? error : unavailable(error), deps.log)
      },
    },
  })
  return {
    handler(request, response, next) {
      if (!isSocketPath(request.url)) {
        next()
        return
      }
      check(request, sessionOf(request) === undefined)
      if (request.method !== 'GET' && request.method !== 'POST') throw notFound()
      if (Number(request.headers['content-length'] ?? 0) > defaultBodyLimit) throw tooLargeBody()
      setHeaders(response, originHeaderList(request.url))
      setHeaders(response, allowOrigin(own, request.url, request.headers))
      introduce(deps, request)
      return proxy(request, response, next)
    },
    upgrades: {
      takes: ({ url, headers }) => isSocketPath(url) && headers.upgrade?.toLowerCase() === 'websocket',
      handle(request, connection, head) {
        try {
          check(request, true)
        } catch (error) {
          refuse(connection, error as AppError, deps.log)
          return
        }
        open.add(connection)
        connection.once('close', () => open.delete(connection))
        introduce(deps, request)
        request.headers.connection = 'Upgrade'
        // An 'upgrade' listener gets a plain socket.
        proxy.upgrade(request, connection as Socket, head)
      },
    },
    drain() {
      draining = true
      for (const connection of open) setTimeout(() => connection.destroy(), Math.random() * drainMs)
    },
  }
}

/** The id of the session that a request continues; the first request of a session has none. */
const sessionOf = ({ url = '' }: IncomingMessage): string | undefined =>
  new URLSearchParams(url.split('?', 2)[1]).get('sid') ?? undefined

function targetAt(location: string): string | { socketPath: string } {
  const { url, socketPath } = readServiceAddress(location)
  return socketPath === undefined ? url : { socketPath }
}

/** Tells realtime the caller's network only; the handshake authenticates the caller. */
function introduce(
  { identity, trustedProxies }: Pick<SocketRelayDeps, 'identity' | 'trustedProxies'>,
  request: IncomingMessage,
): void {
  const network = networkBucket(clientAddress(request, trustedProxies))
  dropForeignHeaders(request)
  delete request.headers.cookie
  request.headers[identityHeader] = identity.sign({ kind: 'guest', network })
}

function limitConnecting(outgoing: ClientRequest): void {
  const { socket } = outgoing
  if (!socket?.connecting) return
  const late = setTimeout(
    () => outgoing.destroy(Object.assign(new Error('connect timed out'), { syscall: 'connect' })),
    connectMs,
  )
  for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(late))
}

const isUnconnected = ({ syscall }: Error & { syscall?: string }): boolean => syscall === 'connect'

/** Responds as a replica does to an unknown session, after which the client begins a new one. */
function endSession(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: 1, message: 'Session ID unknown' }))
}

/** When either side closes in any way, the other is closed too. */
function tie(outgoing: ClientRequest, connection: Duplex): void {
  connection.once('close', () => outgoing.destroy())
  outgoing.once('upgrade', (_answer: IncomingMessage, behind: Duplex) => {
    connection.once('close', () => behind.destroy())
    behind.once('close', () => connection.destroy())
  })
}

function refuse(to: ServerResponse | Duplex, error: AppError, log: Logger): void {
  if (error.status >= 500) log.warn({ err: error, service: 'realtime' }, 'a service did not respond')
  writeRefusal(to, error)
}
