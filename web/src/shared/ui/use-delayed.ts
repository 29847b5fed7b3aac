import { useEffect, useState } from 'react'

/** Becomes true once the component has been mounted for `ms` milliseconds; immediately for 0. */
export function useDelayed(ms: number): boolean {
  const [due, setDue] = useState(ms === 0)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return due
}
