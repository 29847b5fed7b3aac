import { type ProviderFailure, timedOut } from './failure.ts'

/** Watches consecutive waits, mostly of equal length, with a single timer. */
export interface Watchdog {
  /** Starts a wait. */
  watch(waitMs: number, deadline: string): void
  /** Ends the wait. */
  rest(): void
  /** Stops watching and clears the timer. Idempotent. */
  end(): void
}

/** @param bark called with a failure, named after the deadline, when a wait takes too long */
export function createWatchdog(bark: (failure: ProviderFailure) => void): Watchdog {
  let timer: NodeJS.Timeout | undefined
  let timerMs = 0
  let waitsFor: string | undefined
  const ring = (): void => {
    timer = undefined
    if (waitsFor !== undefined) bark(timedOut(waitsFor))
  }
  return {
    watch(waitMs, deadline) {
      waitsFor = deadline
      if (timer !== undefined && timerMs === waitMs) {
        timer.refresh()
        return
      }
      clearTimeout(timer)
      timer = setTimeout(ring, waitMs)
      timerMs = waitMs
    },
    rest() {
      waitsFor = undefined
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      waitsFor = undefined
    },
  }
}
