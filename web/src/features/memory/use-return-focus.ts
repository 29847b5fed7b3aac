import { useRef } from 'react'

/** For what takes the place of a form: `returnFocus` before the form goes gives the focus to the element that `ref` is put on. */
export function useReturnFocus(): { ref: (element: HTMLElement | null) => void; returnFocus: () => void } {
  const wanted = useRef(false)
  return {
    ref: (element) => {
      if (!element || !wanted.current) return
      wanted.current = false
      element.focus()
    },
    returnFocus: () => {
      wanted.current = true
    },
  }
}
