import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral range: while a process restarts, no outgoing connection may take its port. */
const range = { from: 20_000, to: 32_000 } as const

/** Allocates unused loopback ports, none twice. */
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
