import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/** Moves the focus to each new screen, by code that the first change of screen loads. */
export function ScreenFocus(): null {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    // The browser decides where the focus is in a page that it loads.
    if (shown.current === pathname) return
    shown.current = pathname
    const left = new AbortController()
    // Without that code the focus stays where it is.
    import('./focus-heading.ts').then(({ focusHeading }) => focusHeading(left.signal)).catch(() => undefined)
    return () => left.abort()
  }, [pathname])
  return null
}
