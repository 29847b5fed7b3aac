import { type RefObject, useEffect, useRef } from 'react'

/** Returns a function to be called with the index of a row about to be removed: afterwards the row in its place gets the focus. */
export function useFocusAfter(list: RefObject<HTMLElement | null>, count: number | undefined): (place: number) => void {
  const gone = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows shift up when there are fewer
  useEffect(() => {
    if (gone.current === null) return
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    rows[Math.min(gone.current, rows.length - 1)]?.focus()
    gone.current = null
  }, [count])
  return (place) => {
    gone.current = place
  }
}
