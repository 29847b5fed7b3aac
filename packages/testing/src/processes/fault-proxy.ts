import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/**
 * A fault of new and open connections.
 * refuse: new ones are closed at once · cut: closed with the next bytes, after `afterBytes` towards the client ·
 * stall: no bytes pass, nothing is closed · slow: `bytesPerSecond` each way · one-way: bytes in that direction are dropped.
 */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'cut'; readonly afterBytes?: number }
  | { readonly kind: 'stall' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  | { readonly kind: 'one-way'; readonly swallow: 'to-client' | 'to-server' }

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

interface Link {
  readonly client: Socket
  readonly server: Socket
  toClientBytes: number
}
type Direction = 'to-client' | 'to-server'

/** A TCP proxy on a free loopback port in front of `target`, which injects faults and counts those that affected a connection or its bytes. */
export async function startFaultProxy(target: { host: string; port: number }) {
  const links = new Set<Link>()
  const state = { fault: { kind: 'none' } as Fault, observed: 0 }

  const server = createServer({ noDelay: true }, (client) => {
    if (state.fault.kind === 'refuse') {
      state.observed += 1
      client.destroy()
      return
    }
    const link: Link = { client, server: dial({ ...target, noDelay: true }), toClientBytes: 0 }
    links.add(link)
    for (const socket of [link.client, link.server]) {
      // Expected, since this proxy causes faults; the handler of `close` below handles the other side.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        destroy(link)
        links.delete(link)
      })
    }
    pump(link, 'to-server', state)
    pump(link, 'to-client', state)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** An engine's URL that leads through this proxy; a Unix socket that the URL names would lead past it, and is left out. */
    through(engineUrl: string): string {
      const url = Object.assign(new URL(engineUrl), { hostname: '127.0.0.1', port: String(port) })
      url.searchParams.delete('host')
      return url.href
    },
    /** Faults that took effect so far; without any, a test proves nothing. */
    get observed() {
      return state.observed
    },
    get connections() {
      return links.size
    },
    fault(fault: Fault): void {
      state.fault = fault
      if (fault.kind !== 'stall') for (const link of links) resume(link)
    },
    /** Destroys every open connection now; each counts. */
    cutNow(): void {
      for (const link of links) {
        state.observed += 1
        destroy(link)
      }
    },
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const link of links) destroy(link)
      await closed
    },
  }
}

function pump(link: Link, direction: Direction, state: { fault: Fault; observed: number }): void {
  const [from, to] = direction === 'to-server' ? [link.client, link.server] : [link.server, link.client]
  from.on('data', (bytes: Buffer) => pass(bytes, link, direction, state))
  from.on('end', () => to.end())
  to.on('drain', () => from.resume())
}

function pass(bytes: Buffer, link: Link, direction: Direction, state: { fault: Fault; observed: number }): void {
  const [from, to] = direction === 'to-server' ? [link.client, link.server] : [link.server, link.client]
  const { fault } = state
  if (fault.kind === 'stall') {
    state.observed += 1
    from.pause()
    from.unshift(bytes)
    return
  }
  if (fault.kind === 'one-way' && fault.swallow === direction) {
    state.observed += 1
    return
  }
  if (fault.kind === 'cut') {
    const left = (fault.afterBytes ?? 0) - link.toClientBytes
    if (direction === 'to-server' && left > 0) {
      to.write(bytes)
      return
    }
    if (bytes.length > left) {
      state.observed += 1
      if (left > 0) to.write(bytes.subarray(0, left), () => destroy(link))
      else destroy(link)
      return
    }
  }
  if (direction === 'to-client') link.toClientBytes += bytes.length
  if (fault.kind === 'slow') {
    state.observed += 1
    from.pause()
    setTimeout(() => from.resume(), (bytes.length / fault.bytesPerSecond) * 1000).unref()
  }
  if (!to.write(bytes) && !to.destroyed) from.pause()
}

function resume(link: Link): void {
  link.client.resume()
  link.server.resume()
}

function destroy(link: Link): void {
  link.client.destroy()
  link.server.destroy()
}
