import { setTimeout as delay } from 'node:timers/promises'

/** A pause that can be cut short; a ring while nobody waits cuts the next one. For one waiter at a time. */
export interface Alarm {
  ring(): void
  /** Resolves after `ms` or at a ring, to whether it rang. */
  wait(ms: number): Promise<boolean>
}

/** An alarm that has not rung. */
export function createAlarm(): Alarm {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = undefined
      }
      const wasRung = rung
      rung = false
      return wasRung
    },
  }
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // An abort is the other way for the pause to end.
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
