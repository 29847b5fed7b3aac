import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientEventSchemas, defaultBodyLimit, socketAddress } from '@parley/contracts'
import {
  AppError,
  type Clock,
  createOwnAddresses,
  type IdentityCodec,
  identityHeader,
  isAppError,
  type Logger,
  newId,
  newIdHere,
  type Upgrades,
  unavailable,
  writeRefusal,
} from '@parley/kit'
import { Server, type Socket } from 'socket.io'
import type { Connections } from '../connections/connections.ts'
import type { SocketLimits } from '../limits.ts'
import type { RealtimeMetrics } from '../metrics.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { createTokenBucket } from '../token-bucket.ts'
import { type Connection, createConnection, type SignedIn } from './connection.ts'
import { type AdmitDeps, admit, carriesNothing, refusalOf } from './handshake.ts'
import { createUnauthenticated, terminate } from './unauthenticated.ts'

export interface SocketServerDeps extends AdmitDeps {
  readonly publicUrl: string
  readonly extraOrigins: readonly string[]
  /** Verifies the gateway's signed statement of a request's network. */
  readonly identity: IdentityCodec
  readonly connections: Connections
  readonly rooms: Rooms
  readonly limits: SocketLimits
  readonly metrics: RealtimeMetrics
  readonly log: Logger
  readonly now: Clock
}

const isSocketPath = (url = ''): boolean => url.split('?', 1)[0] === `${socketAddress.path}/`

/** The socket server. Opens no port: it gets its requests from the service. */
export function createSocketServer(deps: SocketServerDeps) {
  const { limits, connections } = deps
  let draining = false
  const own = createOwnAddresses(deps.publicUrl, deps.extraOrigins)
  const io = new Server({
    path: socketAddress.path,
    serveClient: false,
    maxHttpBufferSize: defaultBodyLimit,
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: limits.pingMs,
    pingTimeout: limits.pongMs,
    // A fallback only: `createUnauthenticated` terminates such connections earlier, without waiting for the client to acknowledge the close.
    connectTimeout: 2 * limits.signInMs,
    allowRequest: (request, answer) => answer(null, carriesNothing(request) && !draining),
  })
  // The library accepts requests from a server only; this one never listens.
  const carrier = createServer()
  io.attach(carrier)
  // A session that polls sends further requests, which its id leads to this replica; a WebSocket is one request.
  io.engine.generateId = ({ headers, socket }: IncomingMessage) =>
    headers.upgrade === undefined ? newIdHere(deps.identity, socket) : newId()
  const byTransport = new WeakMap<object, Connection>()
  const unauthenticated = createUnauthenticated(limits, deps.metrics.ended)
  limitPackets(io, limits, byTransport)
  io.engine.on('connection', (conn: Socket['conn']) =>
    unauthenticated.add(conn, networkOf(deps.identity, conn.request)),
  )
  const checkOrigin = (request: IncomingMessage, to: ServerResponse | Duplex, next: () => void): void => {
    try {
      own.refuseForeignHost(request.headers)
      own.refuseForeignOrigin(request.headers)
    } catch (error) {
      writeRefusal(to, error as AppError)
      return
    }
    next()
  }
  // The default namespace is not used.
  io.use((_socket, next) => next(refusalOf(new AppError('not_found', 'Not found'))))
  const space = io.of(socketAddress.namespace)
  const signIn = createSignIn(deps, () => draining)
  space.use((socket, next) => {
    signIn(socket).then(
      (who) => {
        socket.data = who
        next()
      },
      (error: unknown) => next(refusalOf(error)),
    )
  })
  const endSoon = (connection: Connection): void => {
    setTimeout(() => connection.end('unavailable'), Math.random() * limits.drainMs).unref()
  }
  space.on('connection', (socket) => {
    const connection = createConnection(socket, socket.data as SignedIn, deps.metrics.ended)
    byTransport.set(socket.conn, connection)
    unauthenticated.release(socket.conn)
    serveConnection(deps, socket, connection)
    // It signed in while the drain began.
    if (draining) endSoon(connection)
  })
  return {
    /** Whether the path is that of the sockets. */
    owns: ({ url }: IncomingMessage): boolean => isSocketPath(url),
    /** Handles a request of the polling transport. */
    handle: (request: IncomingMessage, response: ServerResponse): void =>
      checkOrigin(request, response, () => void carrier.emit('request', request, response)),
    upgrades: {
      takes: ({ url, headers }) => isSocketPath(url) && headers.upgrade?.toLowerCase() === 'websocket',
      handle: (request: IncomingMessage, connection: Duplex, head: Buffer) =>
        checkOrigin(request, connection, () => void carrier.emit('upgrade', request, connection, head)),
    } satisfies Upgrades,
    /** Refuses new connections, and closes the open ones gradually. */
    drain(): void {
      draining = true
      connections.all().forEach(endSoon)
    },
    close: (): Promise<void> => io.close(),
  }
}

/** The network as the gateway states it; without a gateway, the peer's address. */
function networkOf(identity: IdentityCodec, { headers, socket }: IncomingMessage): string {
  const statement = headers[identityHeader]
  const stated = identity.verify(typeof statement === 'string' ? statement : undefined)
  return stated?.network ?? socket.remoteAddress ?? ''
}

/** Closes connections that send too many packets, signed in or not. */
function limitPackets(io: Server, { packets }: SocketLimits, byTransport: WeakMap<object, Connection>): void {
  io.engine.on('connection', (conn: Socket['conn']) => {
    const isAllowed = createTokenBucket(packets, () => performance.now())
    conn.on('packet', () => {
      if (isAllowed()) return
      const connection = byTransport.get(conn)
      if (connection === undefined) terminate(conn)
      else connection.end('rate_limited')
    })
    // Without a listener a broken connection would be an uncaught exception.
    conn.on('error', () => terminate(conn))
  })
}

/** Signs sockets in, up to the limit per user. Checking and counting are synchronous, so that concurrent sign-ins cannot exceed it. */
function createSignIn(deps: SocketServerDeps, draining: () => boolean): (socket: Socket) => Promise<SignedIn> {
  const taken = new Map<string, number>()
  const change = (userId: string, by: number): void => {
    const count = (taken.get(userId) ?? 0) + by
    if (count === 0) taken.delete(userId)
    else taken.set(userId, count)
  }
  return async (socket) => {
    if (draining()) throw unavailable()
    const who = await admit(deps, socket.handshake.auth)
    if ((taken.get(who.userId) ?? 0) >= deps.limits.connectionsPerUser) {
      throw new AppError('rate_limited', 'Too many connections. Please close some tabs.')
    }
    if (socket.conn.readyState !== 'open') throw unavailable()
    change(who.userId, 1)
    socket.conn.once('close', () => change(who.userId, -1))
    return who
  }
}

/** Handles a connection's events until it closes or its token expires. */
function serveConnection(
  { connections, rooms, now, log, metrics }: SocketServerDeps,
  socket: Socket,
  connection: Connection,
): void {
  const { userId } = connection
  connections.add(connection)
  const expiry = setTimeout(() => connection.end('token_expired'), connection.refusedFrom.getTime() - now().getTime())
  socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'))
  socket.on('disconnect', () => {
    clearTimeout(expiry)
    connections.remove(connection)
    rooms.leaveAll(connection)
    // There is no other namespace to use the transport for.
    socket.conn.close()
  })
  connection.emit('user:update', { isBanned: false, isAdmin: connection.isAdmin })
  // A change of rights during the handshake reached no connection, so read them again; the signal has invalidated the cache.
  connections
    .review(userId)
    .catch((error: unknown) => log.error({ err: error }, 'the rights of a connection could not be read'))
  socket.on('join', (input: unknown) => void join(input))
  socket.on('mute', (input: unknown) => {
    const asked = clientEventSchemas.mute.safeParse(input)
    if (asked.success) rooms.mute(connection, asked.data.chatId)
  })
  socket.on('leave', (input: unknown) => {
    const asked = clientEventSchemas.leave.safeParse(input)
    if (!asked.success) return
    rooms.leave(connection, asked.data.chatId)
    connection.emit('left', { chatId: asked.data.chatId })
  })
  const join = async (input: unknown): Promise<void> => {
    const asked = clientEventSchemas.join.safeParse(input)
    const chatId = asked.success ? asked.data.chatId : ''
    try {
      if (!asked.success) throw new AppError('validation_failed', 'Malformed id')
      await rooms.join(connection, chatId, asked.data.muted)
      metrics.joined('joined')
    } catch (error) {
      metrics.joined('refused')
      const { message, code } = isAppError(error) ? error : unavailable(error)
      connection.emit('chat:error', { chatId, error: message, code })
    }
  }
}
