import { useEffect, useState } from 'react'

/** Turns true once the component has been there for `ms` milliseconds; is true at once for 0. */
export function useDelayed(ms: number): boolean {
  const [due, setDue] = useState(ms === 0)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return due
}
