import type { IncomingMessage } from 'node:http'
import type { UserPrincipal } from '@parley/contracts'
import { createKeyedLimiter, createLimiter, type ReadBodyOptions, readBody } from '@parley/kit'
import type { BodyMemory, HeldBody } from './body-memory.ts'

/** Bodies at once, and how many more may wait. */
type Count = readonly [atOnce: number, waiting: number]

/** How many bodies are received at once: in all, from one network (whose accounts may be one person's), and from one user. The first two count fast bodies only. */
export interface SlotCounts {
  readonly all: Count
  readonly network: Count
  readonly user: Count
}

/** A body that has not been read, and how it is. */
export interface IncomingBody extends Pick<ReadBodyOptions, 'limit' | 'drainLimit' | 'tooLarge'> {
  readonly request: IncomingMessage
}

/** A body that brings fewer bytes in one of these spans of milliseconds is slow. */
const quickBytes = 64 * 1024
const spanMs = 1_000

/**
 * Slots for bodies that are held in memory. A body first waits for a slot of its user, which it keeps until its act has ended, then of its network, then of
 * all. The last two it returns as soon as it has arrived or turns out to be slow: slow senders hold up nobody else.
 */
export function createBodySlots({ all, network, user }: SlotCounts, memory: BodyMemory) {
  const everybody = createLimiter(...all)
  const networks = createKeyedLimiter(...network)
  const users = createKeyedLimiter(...user)
  const receive = (from: string, body: IncomingBody): Promise<Received> =>
    new Promise((resolve, reject) => {
      const read = (): Promise<void> => {
        const { received, isThereOrSlow } = readInto(memory.hold(from), body)
        received.then(resolve, reject)
        return isThereOrSlow
      }
      networks.run(from, () => everybody.run(read)).catch(reject)
    })
  return {
    /**
     * Reads a body and acts on it. Its bytes count until the act has ended and the promise it passed to `holdUntil` has settled.
     * @throws AppError unavailable when too many wait or the body was evicted, and errors of reading and of the act
     */
    run: <T>(
      { userId, network: from }: Pick<UserPrincipal, 'userId' | 'network'>,
      body: IncomingBody,
      act: (bytes: Buffer, holdUntil: (settled: Promise<unknown> | undefined) => void) => Promise<T>,
    ): Promise<T> =>
      users.run(userId, async () => {
        const { bytes, held } = await receive(from, body)
        let inUse: Promise<unknown> | undefined
        try {
          return await act(bytes, (settled) => {
            inUse = settled
          })
        } finally {
          void Promise.allSettled([inUse]).then(held.release)
        }
      }),
  }
}

interface Received {
  readonly bytes: Buffer
  readonly held: HeldBody
}

/** Reads a body, and tells when its sender has no more claim to a slot. */
function readInto(held: HeldBody, { request, ...options }: IncomingBody) {
  let inSpan = 0
  const onBytes = (bytes: number): void => {
    inSpan += bytes
    held.add(bytes)
  }
  const { promise: isThereOrSlow, resolve: giveBack } = Promise.withResolvers<void>()
  const watch = setInterval(() => {
    if (inSpan < quickBytes) giveBack()
    inSpan = 0
  }, spanMs)
  const read = async (): Promise<Received> => {
    try {
      const bytes = await readBody(request, { ...options, onBytes, signal: held.signal })
      held.arrived()
      return { bytes, held }
    } catch (error) {
      held.release()
      throw error
    } finally {
      clearInterval(watch)
      giveBack()
    }
  }
  return { received: read(), isThereOrSlow }
}
