import { type ProviderFailure, timedOut } from './failure.ts'

/** Watches consecutive waits, mostly of equal length, with a single timer. */
export type Watchdog = ReturnType<typeof createWatchdog>

/** @param bark called with a failure, named after the deadline, when a wait takes too long */
export function createWatchdog(bark: (failure: ProviderFailure) => void) {
  let timer: NodeJS.Timeout | undefined
  let timerMs = 0
  let waitsFor: string | undefined
  const ring = (): void => {
    timer = undefined
    if (waitsFor !== undefined) bark(timedOut(waitsFor))
  }
  return {
    /** Starts a wait. */
    watch(waitMs: number, deadline: string): void {
      waitsFor = deadline
      if (timer !== undefined && timerMs === waitMs) {
        timer.refresh()
        return
      }
      clearTimeout(timer)
      timer = setTimeout(ring, waitMs)
      timerMs = waitMs
    },
    /** Ends the wait. */
    rest(): void {
      waitsFor = undefined
    },
    /** Stops watching and clears the timer. Idempotent. */
    end(): void {
      clearTimeout(timer)
      timer = undefined
      waitsFor = undefined
    },
  }
}
