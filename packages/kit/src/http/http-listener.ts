import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { hostInUrl, socketLocation } from '../calls/service-address.ts'
import { refuseUnreadable } from './refusal.ts'
import type { Upgrades } from './upgrades.ts'

/** A server that can go without cutting anybody off. */
export type HttpListener = Awaited<ReturnType<typeof listen>>

/**
 * Connections that may wait to be accepted, where the system allows it. A busy event loop accepts one a turn, and beyond this
 * number the system drops handshakes, whose senders try again after 1, 3, 7, 15 and 31 s.
 */
const backlog = 4_096

/** Where a server listens: port 0 takes a free one; `path` is a Unix socket's, which only this machine reaches. */
export type ListenAddress = { readonly host: string; readonly port: number } | { readonly path: string }

/** @throws when the address cannot be had */
export async function listen(handler: RequestListener, address: ListenAddress, upgrades?: Upgrades) {
  const state = { draining: false }
  /** The answers under way on each connection. */
  const connections = new Map<Socket, Set<ServerResponse>>()
  /** Never idle: the handler that took them over closes them. */
  const upgraded = new Set<Socket>()
  const endIfIdle = (socket: Socket): void => {
    if (connections.get(socket)?.size === 0 && !upgraded.has(socket)) socket.destroySoon()
  }
  const shouldUpgradeCallback = (request: IncomingMessage): boolean => upgrades?.takes(request) ?? false
  const server = createServer({
    noDelay: true,
    keepAliveTimeout: 75_000,
    maxHeaderSize: 32 * 1024,
    shouldUpgradeCallback,
  })
  server.on('connection', (socket) => {
    connections.set(socket, new Set())
    socket.once('close', () => {
      connections.delete(socket)
      upgraded.delete(socket)
    })
  })
  server.on('request', (request, response) => {
    const { socket } = request
    const open = connections.get(socket)
    open?.add(response)
    if (state.draining) response.shouldKeepAlive = false
    response.once('close', () => {
      open?.delete(response)
      if (state.draining) endIfIdle(socket)
    })
    handler(request, response)
  })
  server.on('clientError', (error, socket) => {
    // A refusal in the midst of another answer would be read as a part of it.
    if ([...(connections.get(socket as Socket) ?? [])].some((response) => response.headersSent)) socket.destroy()
    else refuseUnreadable(socket, error)
  })
  server.on('upgrade', (request, connection, head) => {
    // A connection that breaks while nobody listens would end the process.
    connection.on('error', () => connection.destroy())
    upgraded.add(request.socket)
    upgrades?.handle(request, connection, head)
  })
  await bind(server, address)
  let closing: Promise<void> | undefined
  const drain = (): void => {
    state.draining = true
    // An answer whose headers are still to be written may be the last one on its connection.
    for (const open of connections.values()) for (const response of open) response.shouldKeepAlive = false
  }
  return {
    /** The base URL, or the location of the socket. */
    url: 'path' in address ? socketLocation(address.path) : urlOf(address.host, server.address() as AddressInfo),
    /** From now on every answer asks its caller to come back on a new connection, which may lead elsewhere. */
    drain,
    /** Accepts nobody any more, waits for the answers and upgraded connections under way, and cuts those that are not done after `graceMs`. Idempotent. */
    close(graceMs: number): Promise<void> {
      drain()
      closing ??= close(server, graceMs, { connections, endIfIdle })
      return closing
    },
  }
}

const urlOf = (host: string, { port }: AddressInfo): string => `http://${hostInUrl(host)}:${port}`

function bind(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...address, backlog }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

interface Connections {
  readonly connections: ReadonlyMap<Socket, unknown>
  readonly endIfIdle: (socket: Socket) => void
}

async function close(server: Server, graceMs: number, { connections, endIfIdle }: Connections): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The HTTP server's own `close` also cuts answers that have ended and are still on their way to a slow reader.
    NetServer.prototype.close.call(server, () => resolve())
  })
  for (const socket of connections.keys()) endIfIdle(socket)
  const timer = setTimeout(() => {
    for (const socket of connections.keys()) socket.destroy()
  }, graceMs)
  await closed
  clearTimeout(timer)
}
