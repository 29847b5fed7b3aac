import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral ports, one of which an outgoing connection could be given before the caller listens. */
const range = { from: 20_000, to: 32_000 } as const

/** Ports that this process was given. */
const given = new Set<number>()

/** A port that nobody listens on, for callers who must name it before listening; never the same one twice in a process. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  if (given.size === range.to - range.from) throw new Error(`no port left between ${range.from} and ${range.to}`)
  const port = randomInt(range.from, range.to)
  if (given.has(port)) return freePort(host)
  given.add(port)
  return (await isFree(port, host)) ? port : freePort(host)
}

function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
