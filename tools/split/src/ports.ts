import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below what systems hand out for outgoing connections: a port of a process that is away for a second must not be taken by one. */
const range = { from: 20_000, to: 32_000 } as const

/** Hands out ports of the loopback that nobody listens on, no port twice. */
export function createPortAllocator(): () => Promise<number> {
  const given = new Set<number>()
  return async () => {
    for (;;) {
      const port = randomInt(range.from, range.to)
      if (given.has(port)) continue
      given.add(port)
      if (await isFree(port)) return port
    }
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
