import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type ScrollPosition, staysStuck } from './stick-to-bottom.ts'

/** Keeps the end of a growing, scrolling box in view for as long as the person is there. */
export interface StickToBottom {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** The end is followed; false offers a way back to it. */
  readonly stuck: boolean
  readonly toBottom: () => void
  /** Stops following: something else is to be in view. */
  readonly unstick: () => void
}

const positionOf = (element: HTMLElement): ScrollPosition => ({
  top: element.scrollTop,
  content: element.scrollHeight,
  view: element.clientHeight,
})

/** Follows the box of `scroller`, whose height `content` makes; not while it is `unfinished`: its end is not the end of the thread. */
export function useStickToBottom(unfinished: boolean): StickToBottom {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(!unfinished)
  const endless = useRef(unfinished)
  endless.current = unfinished
  const [stuck, setStuck] = useState(!unfinished)
  const { settle, toBottom, unstick } = useMemo(() => {
    const settle = (next: boolean) => {
      following.current = next && !endless.current
      setStuck(following.current)
    }
    return {
      settle,
      toBottom: () => {
        settle(true)
        if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
      },
      unstick: () => settle(false),
    }
  }, [])
  useEffect(() => {
    const box = scroller.current
    const inner = content.current
    if (!box || !inner) return
    let before = positionOf(box)
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
  }, [settle])
  return { scroller, content, stuck, toBottom, unstick }
}
