import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports, one of which an outgoing connection could be given before the caller listens. */
const range = { from: 20_000, to: 32_000 } as const

/** Picks ports that nobody listens on, for callers who must name them before listening; no port twice. */
export function createPortAllocator(host = '127.0.0.1'): () => Promise<number> {
  const given = new Set<number>()
  return async () => {
    for (;;) {
      const port = randomInt(range.from, range.to)
      if (given.has(port)) continue
      given.add(port)
      if (await isFree(port, host)) return port
    }
  }
}

/** One port of a new allocator; who needs several at once asks one allocator for them. */
export const freePort = (host?: string): Promise<number> => createPortAllocator(host)()

function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
