import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientEventSchemas, defaultBodyLimit, socketPlace } from '@parley/contracts'
import {
  AppError,
  type Clock,
  createOwnAddresses,
  type IdentityCodec,
  identityHeader,
  isAppError,
  type Logger,
  type Upgrades,
  unavailable,
  writeRefusal,
} from '@parley/kit'
import { Server, type ServerOptions, type Socket } from 'socket.io'
import type { SocketLimits } from '../limits.ts'
import type { RealtimeFigures } from '../metrics.ts'
import type { People } from '../people/people.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { type Connection, createConnection, type SignedIn } from './connection.ts'
import { type AdmitDeps, admit, carriesNothing, refusalOf } from './handshake.ts'
import { createPacketLimit } from './packet-limit.ts'
import { createUnsigned, cutOff } from './unsigned.ts'

/** What the sockets use. */
export interface SocketServerDeps extends AdmitDeps {
  readonly publicUrl: string
  readonly extraOrigins: readonly string[]
  /** Reads the gateway's word about the network of a request. */
  readonly identity: IdentityCodec
  readonly people: People
  readonly rooms: Rooms
  readonly limits: SocketLimits
  readonly figures: RealtimeFigures
  readonly log: Logger
  readonly now: Clock
  /** Carries what is told to a user's room to all replicas; without it there is one replica. */
  readonly adapter: ServerOptions['adapter'] | undefined
}

/** The server of the sockets. It listens nowhere: requests are handed to it. */
export interface SocketServer {
  /** True for a path that is the sockets'. */
  owns(request: IncomingMessage): boolean
  /** Polling. */
  handle(request: IncomingMessage, response: ServerResponse): void
  readonly upgrades: Upgrades
  /** Tells a user's connections on all replicas what is left to spend. */
  tellCredits(userId: string, remaining: number): void
  /** Lets nobody in any more, and ends the connections one after the other. */
  drain(): void
  close(): Promise<void>
}

const isSocketPath = (url = ''): boolean => url.split('?', 1)[0] === `${socketPlace.path}/`
const userRoom = (userId: string): string => `user:${userId}`

/** Opens nothing: sockets come by the requests that it is handed. */
export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { limits, people } = deps
  let draining = false
  const own = createOwnAddresses(deps.publicUrl, deps.extraOrigins)
  const io = new Server({
    path: socketPlace.path,
    serveClient: false,
    maxHttpBufferSize: defaultBodyLimit,
    perMessageDeflate: false,
    httpCompression: false,
    pingInterval: limits.pingMs,
    pingTimeout: limits.pongMs,
    // Its end is polite, and comes too late: those on which nobody signs in are cut off before.
    connectTimeout: 2 * limits.signInMs,
    ...(deps.adapter && { adapter: deps.adapter }),
    allowRequest: (request, answer) => answer(null, carriesNothing(request) && !draining),
  })
  // The library takes requests from a server only; this one never listens.
  const door = createServer()
  io.attach(door)
  const connections = new WeakMap<object, Connection>()
  const unsigned = createUnsigned(limits, deps.figures.ended)
  limitPackets(io, limits, connections)
  io.engine.on('connection', (conn: Socket['conn']) => unsigned.add(conn, networkOf(deps.identity, conn.request)))
  const letIn = (request: IncomingMessage, to: ServerResponse | Duplex, enter: () => void): void => {
    try {
      own.refuseForeignHost(request.headers)
      own.refuseForeignOrigin(request.headers)
    } catch (error) {
      writeRefusal(to, error as AppError)
      return
    }
    enter()
  }
  // Nobody has business in the namespace that is there by default.
  io.use((_socket, next) => next(refusalOf(new AppError('not_found', 'Not found'))))
  const space = io.of(socketPlace.namespace)
  const entrance = createEntrance(deps, () => draining)
  space.use((socket, next) => {
    entrance(socket).then(
      (who) => {
        socket.data = who
        next()
      },
      (error: unknown) => next(refusalOf(error)),
    )
  })
  space.on('connection', (socket) => {
    const connection = createConnection(socket, socket.data as SignedIn, deps.figures.ended)
    connections.set(socket.conn, connection)
    unsigned.release(socket.conn)
    void socket.join(userRoom(connection.userId))
    welcome(deps, socket, connection)
  })
  return {
    owns: ({ url }) => isSocketPath(url),
    handle: (request, response) => letIn(request, response, () => void door.emit('request', request, response)),
    upgrades: {
      takes: ({ url, headers }) => isSocketPath(url) && headers.upgrade?.toLowerCase() === 'websocket',
      handle: (request: IncomingMessage, connection: Duplex, head: Buffer) =>
        letIn(request, connection, () => void door.emit('upgrade', request, connection, head)),
    },
    tellCredits: (userId, remaining) => void space.to(userRoom(userId)).emit('user:update', { credits: { remaining } }),
    drain() {
      draining = true
      for (const connection of people.all()) {
        setTimeout(() => connection.end('unavailable'), Math.random() * limits.drainMs).unref()
      }
    },
    close: () => io.close(),
  }
}

/** As the gateway tells it; without a gateway it is the other end of the connection. */
function networkOf(identity: IdentityCodec, { headers, socket }: IncomingMessage): string {
  const statement = headers[identityHeader]
  const told = identity.verify(typeof statement === 'string' ? statement : undefined)
  return told?.network ?? socket.remoteAddress ?? ''
}

/** Ends connections that say too much, signed in or not. */
function limitPackets(io: Server, { packets }: SocketLimits, connections: WeakMap<object, Connection>): void {
  io.engine.on('connection', (conn: Socket['conn']) => {
    const mayGoOn = createPacketLimit(packets, () => performance.now())
    conn.on('packet', () => {
      if (mayGoOn()) return
      const connection = connections.get(conn)
      if (connection === undefined) cutOff(conn)
      else connection.end('rate_limited')
    })
    // Without a listener a broken connection would be an uncaught exception.
    conn.on('error', () => cutOff(conn))
  })
}

/** Lets sockets in, so many of a user. A place is taken before anything is asked, so that many at once take no more. */
function createEntrance(deps: SocketServerDeps, draining: () => boolean): (socket: Socket) => Promise<SignedIn> {
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

/** From now on it hears of itself, until its token or its connection ends. */
function welcome({ people, rooms, now, log, figures }: SocketServerDeps, socket: Socket, connection: Connection): void {
  const { userId } = connection
  people.add(connection)
  const expiry = setTimeout(() => connection.end('token_expired'), connection.refusedFrom.getTime() - now().getTime())
  socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'))
  socket.on('disconnect', () => {
    clearTimeout(expiry)
    people.remove(connection)
    rooms.leaveAll(connection)
    // Whoever leaves the namespace has no other business here.
    socket.conn.close()
  })
  connection.tell('user:update', { isBanned: false, isAdmin: connection.isAdmin })
  // A change since it was let in was told to nobody; what is kept was dropped with it.
  people.review(userId).catch((error: unknown) => log.error({ err: error }, 'a connection was not reviewed'))
  socket.on('join', (input: unknown) => void join(input))
  socket.on('leave', (input: unknown) => {
    const asked = clientEventSchemas.leave.safeParse(input)
    if (!asked.success) return
    rooms.leave(connection, asked.data.chatId)
    connection.tell('left', { chatId: asked.data.chatId })
  })
  const join = async (input: unknown): Promise<void> => {
    const asked = clientEventSchemas.join.safeParse(input)
    const chatId = asked.success ? asked.data.chatId : ''
    try {
      if (!asked.success) throw new AppError('validation_failed', 'Malformed id')
      await rooms.join(connection, chatId)
      figures.joined('joined')
    } catch (error) {
      figures.joined('refused')
      const { message, code } = isAppError(error) ? error : unavailable(error)
      connection.tell('chat:error', { chatId, error: message, code })
    }
  }
}
