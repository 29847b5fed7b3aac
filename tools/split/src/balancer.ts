import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** A process that can receive connections. */
export interface Backend {
  readonly port: number
  readonly ready: boolean
}

/** The common address of a service's replicas, like a cluster's service address: a layer 4 balancer. */
export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/**
 * Starts a balancer on a free loopback port. New connections go round-robin to ready backends, and to the next one if a backend refuses; with none
 * left the connection is reset. Established connections are kept, even if their backend is no longer ready.
 */
export async function startBalancer(backends: () => readonly Backend[]) {
  const open = new Set<Socket>()
  let turn = 0
  const track = (socket: Socket): Socket => {
    open.add(socket)
    return socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, async (client) => {
    track(client)
    // The client may disconnect while a backend is selected; `join` detects that.
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
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Closes the balancer and all its connections. Idempotent. */
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** The ready backends, starting with the next in turn. */
function inTurn(all: readonly Backend[], turn: number): Backend[] {
  const ready = all.filter((backend) => backend.ready)
  return ready.map((_backend, index) => ready[(turn + index) % ready.length] as Backend)
}

/** A connection to a port; undefined if refused. */
function reach(port: number): Promise<Socket | undefined> {
  const socket = dial({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

/** Relays bytes both ways; an end is relayed as an end, a reset as a reset. */
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
