import { type RefObject, useCallback } from 'react'

/** Focuses a chat's row inside `root` once it is rendered, or the new-chat link without such a row. */
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
