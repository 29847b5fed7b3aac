import { useEffect, useState } from 'react'

/** Milliseconds of rest after which what was typed is searched for. */
const restMs = 200

/** What was typed, once the person rests; nothing is that at once. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), value === '' ? 0 : restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
