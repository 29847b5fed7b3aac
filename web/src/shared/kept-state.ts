import { createContext, useContext, useState } from 'react'

/** The key of the row around, in which the names of kept states are unique. */
export const RowContext = createContext('')

const mostKept = 500
/** By row and name. */
const kept = new Map<string, unknown>()

/** State that outlives its component for the lifetime of the page: a row of a thread leaves the document when it is out of view. */
export function useKeptState<T>(name: string, initial: T): readonly [T, (value: T) => void] {
  const key = `${useContext(RowContext)} ${name}`
  const [value, setValue] = useState(() => (kept.has(key) ? (kept.get(key) as T) : initial))
  const set = (next: T) => {
    if (kept.size > mostKept) kept.clear()
    kept.set(key, next)
    setValue(next)
  }
  return [value, set]
}
