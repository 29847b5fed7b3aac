import type { Signal } from '@parley/cache'
import { createWakeup, type Logger, type Wakeup } from '@parley/kit'

/** A call that waits for a change of one id. */
export interface Waiting {
  /** Resolves as soon as it has been told of since the last time, at the latest after so many milliseconds. */
  next(ms: number): Promise<void>
  end(): void
}

/**
 * Wakes calls that wait for what another replica makes, instead of their asking the store again and again. A hint only says that a look is worth it, and
 * may be lost: a call that waits looks by itself now and then.
 */
export interface Wake {
  /** What goes by this id, of this owner, has begun, ended or failed. Nothing here fails. */
  tell(ownerId: string, id: string): Promise<void>
  /** Waits from now on, for what this replica and others tell. */
  listen(ownerId: string, id: string): Waiting
  /** Takes what another replica told. */
  hear(told: { readonly ownerId: string; readonly id: string }): void
}

/** Wakes by the hint `answer-changed`, in this process also without it. */
export function createWake(signal: Pick<Signal, 'publish'>, log: Logger): Wake {
  const waiting = new Map<string, Set<Wakeup>>()
  const keyOf = (ownerId: string, id: string): string => JSON.stringify([ownerId, id])
  const hear: Wake['hear'] = ({ ownerId, id }) => {
    for (const wakeup of waiting.get(keyOf(ownerId, id)) ?? []) wakeup.wake()
  }
  return {
    hear,
    async tell(ownerId, id) {
      hear({ ownerId, id })
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
