import { createWakeup, type Logger, type Wakeup } from '@parley/kit'
import type { Signal } from './ports.ts'

/** A call that waits for a change of one answer. */
export type AnswerWaiter = ReturnType<AnswerWaiters['listen']>
export type AnswerWaiters = ReturnType<typeof createAnswerWaiters>

/**
 * Calls that wait for an answer of another replica, instead of polling the store. The hint `answer-changed` wakes them, in this process also without it.
 * A hint may be lost: a waiting call polls now and then.
 */
export function createAnswerWaiters(signal: Pick<Signal, 'publish'>, log: Logger) {
  const waiting = new Map<string, Set<Wakeup>>()
  const keyOf = (ownerId: string, id: string): string => JSON.stringify([ownerId, id])
  const receive = ({ ownerId, id }: { readonly ownerId: string; readonly id: string }): void => {
    for (const wakeup of waiting.get(keyOf(ownerId, id)) ?? []) wakeup.wake()
  }
  return {
    /** Takes the notification of another replica. */
    receive,
    /** The answer with this id, of this owner, has begun, ended or failed. Never rejects. */
    async notify(ownerId: string, id: string): Promise<void> {
      receive({ ownerId, id })
      await signal.publish('answer-changed', { ownerId, id }).catch((error: unknown) => {
        log.warn({ err: error, id }, 'the change of an answer could not be signalled')
      })
    },
    /** Waits from now on, for notifications of all replicas. @param left aborts when the caller leaves */
    listen(ownerId: string, id: string, left?: AbortSignal) {
      const key = keyOf(ownerId, id)
      const wakeup = createWakeup()
      const wakeups = waiting.get(key) ?? new Set()
      waiting.set(key, wakeups.add(wakeup))
      left?.addEventListener('abort', wakeup.wake, { once: true })
      return {
        /** Resolves when the answer has changed since the last call, or the caller has left; at the latest after this many milliseconds. */
        async next(ms: number): Promise<void> {
          await wakeup.wait(ms)
        },
        end(): void {
          left?.removeEventListener('abort', wakeup.wake)
          wakeups.delete(wakeup)
          if (wakeups.size === 0 && waiting.get(key) === wakeups) waiting.delete(key)
        },
      }
    },
  }
}
