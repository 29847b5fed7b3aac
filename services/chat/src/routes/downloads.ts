import type { ServerResponse } from 'node:http'
import type { UserPrincipal } from '@parley/contracts'
import { createKeyedLimiter, createLimiter } from '@parley/kit'
import type { OpenFile } from '../files/files.ts'
import type { BodyMemory, HeldBody } from './body-memory.ts'

/** Downloads of one user at once, and that may wait: a page of a chat shows hundreds of pictures. */
const [ofUserAtOnce, waiting] = [2, 400]
/** Files that are read from the store at once: meanwhile, each is in memory several times over. */
const readAtOnce = 3

/**
 * Downloads of files, each of which is in memory until its reader has taken it, however slowly.
 * @param memory their bytes count in it until the response has ended
 */
export function createDownloads(memory: BodyMemory, atOnce = ofUserAtOnce) {
  const users = createKeyedLimiter(atOnce, waiting)
  const reads = createLimiter(readAtOnce, Number.POSITIVE_INFINITY)
  return {
    /**
     * Reads a file when it is its turn, has it written, and resolves once the response has ended. The one that takes longest is cut off where
     * all together exceed the memory. @throws AppError unavailable when too many wait or it was cut off before it was written, and errors of reading
     */
    send: (
      { userId, network }: Pick<UserPrincipal, 'userId' | 'network'>,
      { size, bytes }: Pick<OpenFile, 'size' | 'bytes'>,
      response: ServerResponse,
      write: (bytes: Uint8Array) => void,
    ): Promise<void> =>
      users.run(userId, async () => {
        if (response.closed) return
        const ended = new Promise((resolve) => response.once('close', resolve))
        const held = memory.hold(network)
        try {
          held.add(size)
          const content = await reads.run(bytes)
          held.signal.throwIfAborted()
          if (response.closed) return
          held.signal.addEventListener('abort', () => response.destroy(), { once: true })
          write(content)
          await ended
        } finally {
          held.release()
        }
      }),
  }
}

/** Counts bytes of a response until it has ended, as its reader may take them slowly; it is cut off where all together exceed the memory. */
export function holdUntilTaken(memory: BodyMemory, network: string, response: ServerResponse): Pick<HeldBody, 'add'> {
  const held = memory.hold(network)
  held.signal.addEventListener('abort', () => response.destroy(), { once: true })
  if (response.closed) held.release()
  else response.once('close', held.release)
  return held
}
