import { setTimeout as delay } from 'node:timers/promises'

export type Wakeup = ReturnType<typeof createWakeup>

/** A pause that can be cut short; a wakeup while nobody waits shortens the next one. For one waiter at a time. */
export function createWakeup() {
  let called = false
  let wake: (() => void) | undefined
  return {
    wake(): void {
      called = true
      wake?.()
    },
    /** Resolves after `ms`, if given, or at a wakeup, to whether there was one. */
    async wait(ms?: number): Promise<boolean> {
      if (!called) {
        await new Promise<void>((resolve) => {
          const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = undefined
      }
      const wasCalled = called
      called = false
      return wasCalled
    },
  }
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // An abort is the other way for the pause to end.
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
