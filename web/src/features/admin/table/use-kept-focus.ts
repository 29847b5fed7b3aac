import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus into a table when an update removed the focused element: to the row in the place of its own, and to the tab stop if it was an action
 * on selected rows, in a dialog whose opener is gone as well, or in another table that is gone. An update that removes anything else moves no focus.
 * @param box contains the rows, marked `data-row`, or the text shown instead of them, marked `data-empty`
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, hasSelected: boolean): void {
  // Read before the update, which leaves the focus nowhere.
  const focused = document.activeElement
  const place = rowsIn(box).findIndex((row) => row.contains(focused))
  // A table that appears is on another page than what was removed.
  const isKnown = box.current !== null
  const hadSelected = useRef(false)
  useEffect(() => {
    const isLost = focused !== null && !focused.isConnected && document.activeElement === document.body
    if (isLost && isKnown && (place >= 0 || hadSelected.current || focused.closest('dialog, table'))) {
      const rows = rowsIn(box)
      const row = place < 0 ? rows.find(({ tabIndex }) => tabIndex === 0) : rows[Math.min(place, rows.length - 1)]
      const target = row ?? box.current?.querySelector<HTMLElement>('[data-empty]')
      target?.focus()
    }
    hadSelected.current = hasSelected
  })
}

const rowsIn = ({ current }: RefObject<HTMLElement | null>): HTMLElement[] =>
  Array.from(current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])
