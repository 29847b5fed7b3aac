import { createServer, connect as dial, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** A process that may be given connections. */
export interface Backend {
  readonly port: number
  readonly ready: boolean
}

/** The one address of a service's replicas, as a cluster's service address is: it knows connections, not what is said on them. */
export interface Balancer {
  readonly url: string
  /** Ends every connection through it. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts one on a free loopback port. New connections go round the backends that are ready, and to the next one when a backend refuses;
 * with none left the connection is reset. Connections that stand are left alone, also when their backend is no longer ready.
 */
export async function startBalancer(backends: () => readonly Backend[]): Promise<Balancer> {
  const open = new Set<Socket>()
  let turn = 0
  const track = (socket: Socket): Socket => {
    open.add(socket)
    return socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, async (client) => {
    track(client)
    // The caller may leave while a backend is looked for; `join` sees that it is gone.
    client.on('error', () => client.destroy())
    turn += 1
    for (const { port } of inTurn(backends(), turn)) {
      const backend = await reach(port)
      if (backend === undefined) continue
      join(client, track(backend))
      return
    }
    client.resetAndDestroy()
  })
  const port = await listen(server, 0)
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Those that are ready, beginning with whose turn it is. */
function inTurn(all: readonly Backend[], turn: number): Backend[] {
  const ready = all.filter((backend) => backend.ready)
  return ready.map((_backend, index) => ready[(turn + index) % ready.length] as Backend)
}

/** A connection to a port, or undefined when there is nobody. */
function reach(port: number): Promise<Socket | undefined> {
  const socket = dial({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

/** Passes bytes both ways as they come; an end goes through as an end, a break as a break. */
function join(client: Socket, backend: Socket): void {
  const pass = (from: Socket, to: Socket): void => {
    from.pipe(to)
    from.on('error', () => to.resetAndDestroy())
    from.once('close', () => to.destroySoon())
  }
  pass(client, backend)
  pass(backend, client)
  if (client.destroyed) backend.destroy()
}
