import { type RefObject, useEffect } from 'react'

/** After a row was removed, moves the focus to the one in its place. */
export function useFocusAfter(
  list: RefObject<HTMLUListElement | null>,
  count: number | undefined,
  gone: RefObject<number | null>,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows shift up when there are fewer
  useEffect(() => {
    if (gone.current === null) return
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    rows[Math.min(gone.current, rows.length - 1)]?.focus()
    gone.current = null
  }, [count])
}
