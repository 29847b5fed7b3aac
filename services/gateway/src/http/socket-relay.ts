import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { defaultBodyLimit, socketAddress } from '@parley/contracts'
import {
  AppError,
  createOwnAddresses,
  type IdentityCodec,
  identityHeader,
  type Locate,
  type Logger,
  notFound,
  readServiceAddress,
  tooLargeBody,
  type Upgrades,
  unavailable,
  writeRefusal,
} from '@parley/kit'
import type { RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { clientAddress, networkBucket } from '../network.ts'
import { dropForeignHeaders } from './relayed-headers.ts'
import { isAmbiguous } from './request-smuggling.ts'

/** How long realtime may be silent before it responds, in milliseconds: a poll waits for the next event or ping. */
const answerMs = 60_000
/** Milliseconds over which a leaving gateway spreads the closing of its connections, so that clients do not all reconnect at once. */
const drainMs = 2_000

export interface SocketRelayDeps {
  readonly publicUrl: string
  readonly extraOrigins: readonly string[]
  readonly trustedProxies: BlockList
  readonly identity: IdentityCodec
  readonly locate: Locate
  readonly log: Logger
}

/** Relays sockets, by WebSocket or polling, to realtime, which authenticates them. */
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
  const check = (request: IncomingMessage): void => {
    if (draining) throw unavailable()
    if (isAmbiguous(request)) throw new AppError('validation_failed', 'The request couldn’t be read')
    own.refuseForeignHost(request.headers)
    own.refuseForeignOrigin(request.headers)
  }
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    proxyTimeout: answerMs,
    router: () => targetAt(deps.locate('realtime')),
    // A placeholder: the router above looks up the address for each request.
    target: 'http://service.invalid',
    on: {
      proxyReq: limitBody,
      proxyReqWs: (outgoing, _request, connection) => tie(outgoing, connection),
      error: (error, _request, to) => refuse(to, error instanceof AppError ? error : unavailable(error), deps.log),
    },
  })
  return {
    handler(request, response, next) {
      if (!isSocketPath(request.url)) {
        next()
        return
      }
      check(request)
      if (request.method !== 'GET' && request.method !== 'POST') throw notFound()
      if (Number(request.headers['content-length'] ?? 0) > defaultBodyLimit) throw tooLargeBody()
      introduce(deps, request)
      return proxy(request, response, next)
    },
    upgrades: {
      takes: ({ url, headers }) => isSocketPath(url) && headers.upgrade?.toLowerCase() === 'websocket',
      handle(request, connection, head) {
        try {
          check(request)
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

/** A chunked body is counted as it passes. */
function limitBody(outgoing: ClientRequest, request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return
  let left = defaultBodyLimit
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) outgoing.destroy(tooLargeBody())
  })
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
