import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Maximum milliseconds for which a run waits for another one, which could hang. */
const patienceMs = 30 * 60_000
/** Milliseconds in which a run that waits takes the lane before the one that leaves it can enter it again. */
const turnMs = 500

/** Where a lane's holder listens. The operating system closes it with the process, however that ends. */
export const socketOf = (lane: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\parley-tests-${lane}` : join(tmpdir(), `parley-tests-${lane}.sock`)

/**
 * Runs `act` while no other run on this machine is in this lane: two runs at once would starve each other's tests, and take turns instead. It is
 * run without the lane once `signal` aborts the wait, when the lane is held for too long, or when it cannot be known how long.
 */
export async function inLane<T>(lane: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  const leave = await enter(lane, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
  try {
    return await act()
  } finally {
    await leave()
  }
}

/** Resolves to a function that leaves the lane. */
async function enter(lane: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const path = socketOf(lane)
  let isTold = false
  while (!signal.aborted) {
    const server = createServer()
    const error = await listening(server, path)
    if (error === undefined) return holding(server)
    // Without sockets there are no lanes.
    if (error.code !== 'EADDRINUSE') break
    if (!isTold) console.log(`\nAnother test run on this machine is in the lane "${lane}": waiting for its end`)
    isTold = true
    // Trying again would fail again, at once and without end.
    if (!(await untilLeft(path, signal))) break
  }
  return async () => undefined
}

const listening = (server: Server, path: string): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    // Other users' runs wait for this one, too: connecting takes the right to write.
    server.once('error', resolve).listen({ path, readableAll: true, writableAll: true }, () => resolve(undefined))
  })

function holding(server: Server): () => Promise<void> {
  const waiting = new Set<Socket>()
  server.on('connection', (socket) => {
    waiting.add(socket.on('error', () => undefined).on('close', () => waiting.delete(socket)))
  })
  return async () => {
    // Removes the file at once, so that who is told next can take its place.
    server.close()
    if (waiting.size === 0) return
    for (const socket of waiting) socket.destroy()
    await setTimeout(turnMs)
  }
}

/**
 * Resolves when the holder has left, or was not there any more: to whether the lane may be free now. It is not if another user's holder refuses the
 * connection, or was killed and left a file that only its owner can remove.
 */
const untilLeft = (path: string, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    let mayBeFree = true
    const end = (): void => void socket.destroy()
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    socket
      .on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNREFUSED') mayBeFree = isRemoved(path)
        else if (code === 'EACCES' || code === 'EPERM') mayBeFree = false
      })
      .on('close', () => {
        signal.removeEventListener('abort', end)
        resolve(mayBeFree)
      })
  })

/** Removes the file of a holder that was killed. */
function isRemoved(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch {
    return false
  }
}
