import { type Logger, retryWithBackoff } from '@parley/kit'
import { type Postmaster, stopPostmaster } from './postmaster.ts'

/**
 * Keeps a server running at its address: one that ends by itself, such as by the system's want of memory, is started again.
 * @param start starts it at its old port
 * @returns how to stop it
 */
export function superviseServer(first: Postmaster, start: () => Promise<Postmaster>, log: Logger): () => Promise<void> {
  let server: Postmaster | undefined = first
  const stopping = new AbortController()
  // The server's end alone would not do: nothing keeps this process running until it is told of it.
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const restart = async (): Promise<Postmaster | undefined> => {
    let next: Postmaster | undefined
    const act = async (): Promise<void> => {
      next = await start()
    }
    await retryWithBackoff({ what: 'PostgreSQL', act, log, signal: stopping.signal })
    return next
  }
  const watch = async (): Promise<void> => {
    while (server !== undefined && !stopping.signal.aborted) {
      await Promise.race([server.exited, stopped])
      if (stopping.signal.aborted) return
      log.error('PostgreSQL has ended by itself: starting it again')
      server = await restart()
    }
  }
  const watching = watch()
  return async () => {
    stopping.abort()
    if (server !== undefined) await stopPostmaster(server.pid)
    await watching
    // It may have been on its way up just then.
    if (server !== undefined) await stopPostmaster(server.pid)
  }
}
