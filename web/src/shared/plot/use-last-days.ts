import { useMemo, useSyncExternalStore } from 'react'
import { lastDays } from './days.ts'

/** Milliseconds between checks of the clock; a timer until midnight would not run while the device sleeps. */
const lookMs = 30_000

const today = (): string => lastDays(1, Date.now())[0] ?? ''

function subscribe(look: () => void): () => void {
  const timer = setInterval(look, lookMs)
  return () => clearInterval(timer)
}

/** `lastDays` up to today: returns the same array until a UTC day ends. */
export function useLastDays(count: number): readonly string[] {
  const day = useSyncExternalStore(subscribe, today)
  return useMemo(() => lastDays(count, Date.parse(day)), [count, day])
}
