import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import onHeaders from 'on-headers'
import type { Upgrades } from './upgrades.ts'

/** A server that can go without cutting anybody off. */
export interface HttpListener {
  readonly url: string
  readonly port: number
  /** From now on every answer asks its caller to come back on a new connection, which may lead elsewhere. */
  drain(): void
  /** Accepts nobody any more, waits for the answers and upgraded connections under way, and cuts those that are not done after `graceMs`. Idempotent. */
  close(graceMs: number): Promise<void>
}

/**
 * Connections that may wait to be accepted, where the system allows it. A busy event loop accepts one a turn, and beyond this
 * number the system drops handshakes, whose senders try again after 1, 3, 7, 15 and 31 s.
 */
const backlog = 4_096

/** Listens; port 0 takes a free one. @throws when the address cannot be had */
export async function listen(
  handler: RequestListener,
  address: { readonly host: string; readonly port: number },
  upgrades?: Upgrades,
): Promise<HttpListener> {
  const state = { draining: false }
  const connections = new Map<Socket, number>()
  const shouldUpgradeCallback = (request: IncomingMessage): boolean => upgrades?.takes(request) ?? false
  const server = createServer({
    noDelay: true,
    keepAliveTimeout: 75_000,
    maxHeaderSize: 32 * 1024,
    shouldUpgradeCallback,
  })
  server.on('connection', (socket) => {
    connections.set(socket, 0)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request, response) => {
    const { socket } = request
    connections.set(socket, (connections.get(socket) ?? 0) + 1)
    response.once('close', () => {
      if (!connections.has(socket)) return
      const open = (connections.get(socket) ?? 1) - 1
      connections.set(socket, open)
      if (state.draining && open === 0) socket.destroySoon()
    })
    // As late as the headers are written: an answer that was begun before may be the last one on its connection.
    onHeaders(response, () => {
      if (state.draining) response.setHeader('connection', 'close')
    })
    handler(request, response)
  })
  server.on('upgrade', (request, connection, head) => {
    // A connection that breaks while nobody listens would end the process.
    connection.on('error', () => connection.destroy())
    // Never to fall to 0: whoever took it over closes it.
    connections.set(request.socket, (connections.get(request.socket) ?? 0) + 1)
    upgrades?.handle(request, connection, head)
  })
  await bind(server, address)
  const { port } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    port,
    drain() {
      state.draining = true
    },
    close(graceMs) {
      state.draining = true
      closing ??= close(server, connections, graceMs)
      return closing
    },
  }
}

function bind(server: Server, address: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...address, backlog }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function close(server: Server, connections: ReadonlyMap<Socket, number>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The HTTP server's own `close` also cuts answers that have ended and are still on their way to a slow reader.
    NetServer.prototype.close.call(server, () => resolve())
  })
  for (const [socket, open] of connections) if (open === 0) socket.destroySoon()
  const timer = setTimeout(() => {
    for (const socket of connections.keys()) socket.destroy()
  }, graceMs)
  await closed
  clearTimeout(timer)
}
