import { type ProviderFailure, timedOut } from './failure.ts'

/** Watches one wait after the other, mostly equally long ones, with one timer for all of them. */
export interface Watchdog {
  /** A wait begins. */
  watch(waitMs: number, deadline: string): void
  /** It is over. */
  rest(): void
  /** Nothing is watched any more; no timer is left. Idempotent. */
  end(): void
}

/** @param bark called with the failure, named after the deadline, when a wait is not over in time */
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
