import { useSyncExternalStore } from 'react'

/** Milliseconds between checks of the clock; a timer until midnight would not run while the device sleeps. */
const lookMs = 30_000

function subscribe(look: () => void): () => void {
  const timer = setInterval(look, lookMs)
  return () => clearInterval(timer)
}

/** What `read` returns for the current day, such as its date; renders again once that differs. */
export const useDay = <Day extends string | number>(read: () => Day): Day => useSyncExternalStore(subscribe, read)
