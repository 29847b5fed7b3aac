import { randomInt } from 'node:crypto'
import { lstat, lutimes, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Below the ephemeral ports, one of which an outgoing connection could be given before the caller listens. */
const range = { from: 20_000, to: 32_000 } as const

/** How long other processes leave a picked port alone, in milliseconds: until its caller listens. */
const reservedMs = 60_000

/** An allocator gives up after this many ports that it cannot have, since then something other than the ports is wrong. */
const mostTries = 10_000

/**
 * Picks ports that nobody listens on, for callers who must name them before listening; no port twice, nor one that another process has just picked.
 * A pick rejects with the system's error when this machine does not have the host.
 */
export function createPortAllocator(host = '127.0.0.1'): () => Promise<number> {
  const given = new Set<number>()
  return async () => {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const port = randomInt(range.from, range.to)
      if (given.has(port)) continue
      given.add(port)
      if ((await reserve(port)) && (await isFree(port, host))) return port
    }
    throw new Error(`No port of ${host} from ${range.from} to ${range.to} is free`)
  }
}

/** One port of a new allocator; who needs several at once asks one allocator for them. */
export const freePort = (host?: string): Promise<number> => createPortAllocator(host)()

/** EACCES: the system keeps the port for itself, as Windows does with whole ranges. */
const takenCodes = new Set(['EADDRINUSE', 'EACCES'])

function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (takenCodes.has(error.code ?? '')) resolve(false)
      else reject(error)
    })
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/** Marks a port as picked in the folder for temporary files; false while another process's mark is fresh. Without such a folder nothing is reserved. */
export async function reserve(port: number): Promise<boolean> {
  const mark = markOf(port)
  try {
    await mkdir(dirname(mark), { recursive: true })
    await writeFile(mark, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return true
  }
  try {
    if (Date.now() - (await lstat(mark)).mtimeMs < reservedMs) return false
    await lutimes(mark, new Date(), new Date())
  } catch {
    // Another user's mark: it cannot be renewed.
  }
  return true
}

/** The path of a port's mark. */
export const markOf = (port: number): string => join(tmpdir(), 'parley-ports', String(port))
