import { useMemo } from 'react'
import { useDay } from '../use-day.ts'
import { lastDays } from './days.ts'

const today = (): string => lastDays(1, Date.now())[0] ?? ''

/** `lastDays` up to today: returns the same array until a UTC day ends. */
export function useLastDays(count: number): readonly string[] {
  const day = useDay(today)
  return useMemo(() => lastDays(count, Date.parse(day)), [count, day])
}
