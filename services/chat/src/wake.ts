import type { Signal } from '@parley/cache'
import { createWakeup, type Logger, type Wakeup } from '@parley/kit'

/** A call that waits for a change of one id. */
export interface Waiting {
  /** Resolves when the id has been notified since the last call, at the latest after this many milliseconds. */
  next(ms: number): Promise<void>
  end(): void
}

/**
 * Wakes calls that wait for a generation of another replica, instead of polling the store. A hint may be lost: a waiting call polls now and then.
 */
export interface Wake {
  /** The generation with this id, of this owner, has begun, ended or failed. Never rejects. */
  notify(ownerId: string, id: string): Promise<void>
  /** Waits from now on, for notifications of all replicas. */
  listen(ownerId: string, id: string): Waiting
  /** Takes the notification of another replica. */
  receive(change: { readonly ownerId: string; readonly id: string }): void
}

/** Wakes by the hint `answer-changed`, in this process also without it. */
export function createWake(signal: Pick<Signal, 'publish'>, log: Logger): Wake {
  const waiting = new Map<string, Set<Wakeup>>()
  const keyOf = (ownerId: string, id: string): string => JSON.stringify([ownerId, id])
  const receive: Wake['receive'] = ({ ownerId, id }) => {
    for (const wakeup of waiting.get(keyOf(ownerId, id)) ?? []) wakeup.wake()
  }
  return {
    receive,
    async notify(ownerId, id) {
      receive({ ownerId, id })
      await signal.publish('answer-changed', { ownerId, id }).catch((error: unknown) => {
        log.warn({ err: error, id }, 'the change of an answer could not be signalled')
      })
    },
    listen(ownerId, id) {
      const key = keyOf(ownerId, id)
      const wakeup = createWakeup()
      const wakeups = waiting.get(key) ?? new Set()
      waiting.set(key, wakeups.add(wakeup))
      return {
        async next(ms) {
          await wakeup.wait(ms)
        },
        end() {
          wakeups.delete(wakeup)
          if (wakeups.size === 0 && waiting.get(key) === wakeups) waiting.delete(key)
        },
      }
    },
  }
}
