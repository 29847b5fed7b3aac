import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type ScrollPosition, staysStuck } from './stick-to-bottom.ts'

/** Keeps the end of a growing, scrolling box in view for as long as the person is there. */
export interface StickToBottom {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** The end is followed; false offers a way back to it. */
  readonly stuck: boolean
  readonly toBottom: () => void
}

const positionOf = (element: HTMLElement): ScrollPosition => ({
  top: element.scrollTop,
  content: element.scrollHeight,
  view: element.clientHeight,
})

/** Follows the box of `scroller`, whose height `content` makes. */
export function useStickToBottom(): StickToBottom {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const [stuck, setStuck] = useState(true)
  const toBottom = useMemo(
    () => () => {
      following.current = true
      setStuck(true)
      if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
    },
    [],
  )
  useEffect(() => {
    const box = scroller.current
    const inner = content.current
    if (!box || !inner) return
    let before = positionOf(box)
    const settle = (next: boolean) => {
      following.current = next
      setStuck(next)
    }
    const onScroll = () => {
      const now = positionOf(box)
      settle(staysStuck(following.current, before, now))
      before = now
    }
    // A growing answer would win against the wheel if only positions were compared.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && box.scrollHeight > box.clientHeight) settle(false)
    }
    const observer = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight
      before = positionOf(box)
    })
    observer.observe(inner)
    observer.observe(box)
    box.addEventListener('scroll', onScroll, { passive: true })
    box.addEventListener('wheel', onWheel, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
      box.removeEventListener('wheel', onWheel)
    }
  }, [])
  return { scroller, content, stuck, toBottom }
}
