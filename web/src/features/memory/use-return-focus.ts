import { useRef } from 'react'

/** For the element that replaces a form: call `returnFocus` before the form is removed, and the element with `ref` gets the focus. */
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
