import type { Signal } from '@parley/cache'
import type { Logger } from '@parley/kit'
import type { MemoryStore } from './store/memory-store.ts'

/** Sends the number of pending suggestions to the user's open windows. Best effort: the next signal makes up for a lost one. */
export type SignalPending = (ownerId: string) => Promise<void>

/** Publishes the hint `memory-changed`. */
export const createSignalPending =
  (deps: {
    readonly memories: Pick<MemoryStore, 'account'>
    readonly signal: Pick<Signal, 'publish'>
    readonly log: Logger
  }): SignalPending =>
  async (userId) => {
    try {
      const pending = Object.keys((await deps.memories.account(userId))?.doc.pending ?? {}).length
      await deps.signal.publish('memory-changed', { userId, pending })
    } catch (error) {
      deps.log.warn({ err: error }, 'a change of suggestions could not be signalled')
    }
  }
