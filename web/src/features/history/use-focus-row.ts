import { type RefObject, useCallback } from 'react'

/** Focuses the row of a chat inside `root` once it is drawn; the new-chat link when there is no such row. */
export function useFocusRow(root: RefObject<HTMLElement | null>): (id: string | null) => void {
  return useCallback(
    (id) => {
      requestAnimationFrame(() => {
        const row = id === null ? null : root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
        const target = row ?? root.current?.querySelector<HTMLElement>('[data-new-chat]')
        target?.focus()
      })
    },
    [root],
  )
}
