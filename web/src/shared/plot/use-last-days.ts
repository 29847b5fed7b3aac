import { useMemo, useSyncExternalStore } from 'react'
import { lastDays } from './days.ts'

/** Milliseconds between two looks at the clock; a timer of hours would not run while the device sleeps. */
const lookMs = 30_000

const today = (): string => lastDays(1, Date.now())[0] ?? ''

function subscribe(look: () => void): () => void {
  const timer = setInterval(look, lookMs)
  return () => clearInterval(timer)
}

/** The last `count` days up to today, as `lastDays` has them: the same array until a day of UTC ends, then that of the next. */
export function useLastDays(count: number): readonly string[] {
  const day = useSyncExternalStore(subscribe, today)
  return useMemo(() => lastDays(count, Date.parse(day)), [count, day])
}
