import { useEffect, useState } from 'react'
import { type SectionName, sectionNames } from './contents.ts'

/** The section at the top of the window; null before the first one. Scrolls once to the section in the URL. */
export function useShownSection(): SectionName | null {
  const [shown, setShown] = useState<SectionName | null>(null)
  useEffect(() => {
    // The browser looked for it before the page was rendered.
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
    const visible = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id)
          else visible.delete(target.id)
        }
        setShown((before) => sectionNames.find((name) => visible.has(name)) ?? before)
      },
      { rootMargin: '-15% 0px -70% 0px' },
    )
    for (const name of sectionNames) {
      const section = document.getElementById(name)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return shown
}
