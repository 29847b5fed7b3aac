import { randomInt } from 'node:crypto'
import { lstat, lutimes, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Below the ephemeral ports, one of which an outgoing connection could be given before the caller listens. */
const range = { from: 20_000, to: 32_000 } as const

/** How long other processes leave a picked port alone, in milliseconds: until its caller listens. */
const reservedMs = 60_000

/** Picking is given up after this many ports that cannot be had, since then something other than the ports is wrong. */
const mostTries = 10_000

/**
 * Picks a port that nobody listens on, for a caller who must name it before listening; not one that this or another process has just picked.
 * @throws the system's error when this machine does not have the host
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(range.from, range.to)
    if ((await reserve(port)) && (await isFree(port, host))) return port
  }
  throw new Error(`No port of ${host} from ${range.from} to ${range.to} is free`)
}

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
