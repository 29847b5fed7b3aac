import { useEffect, useState } from 'react'

/** Debounce delay in milliseconds. */
const restMs = 200

/** The debounced value; an empty value is applied immediately. */
export function useRested<Value extends string | number>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), value === '' ? 0 : restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
