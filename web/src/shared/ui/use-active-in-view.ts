import { type RefObject, useEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'

const activeEntry = '[aria-current="page"], [aria-selected="true"]'

/**
 * Scrolls a bar sideways so that its active entry is in the middle: when it is shown, when another entry becomes active, and when the language, and with
 * it the width of the texts, has changed. The page itself is not scrolled.
 * @param active the active entry
 */
export function useActiveInView<Bar extends HTMLElement>(active: string): RefObject<Bar | null> {
  const bar = useRef<Bar>(null)
  const { locale } = useText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: they determine which entry is active, and where it is
  useEffect(() => {
    const entry = bar.current?.querySelector(activeEntry)
    if (!bar.current || !entry) return
    bar.current.scrollBy({ left: middleOf(entry) - middleOf(bar.current), behavior: 'instant' })
  }, [active, locale])
  return bar
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}
