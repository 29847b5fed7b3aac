import { type RefObject, useEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'

const activeEntry = '[aria-current="page"], [aria-selected="true"]'

/**
 * Scrolls a bar or list so that its active entry is in the middle: when it is shown, when another entry becomes active, and when the language, and with
 * it the size of the texts, has changed. The page itself is not scrolled.
 * @param active the active entry
 */
export function useActiveInView<Bar extends HTMLElement>(active: string): RefObject<Bar | null> {
  const bar = useRef<Bar>(null)
  const { locale } = useText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: they determine which entry is active, and where it is
  useEffect(() => {
    const entry = bar.current?.querySelector(activeEntry)
    if (!bar.current || !entry) return
    const [to, from] = [middleOf(entry), middleOf(bar.current)]
    bar.current.scrollBy({ left: to.x - from.x, top: to.y - from.y, behavior: 'instant' })
  }, [active, locale])
  return bar
}

function middleOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
