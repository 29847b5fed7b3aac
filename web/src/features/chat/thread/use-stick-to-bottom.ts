import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { isAtBottom, type ScrollPosition, staysStuck } from './stick-to-bottom.ts'

/** Keeps the end of a growing, scrolling box in view, or what was asked last, for as long as the person is there. */
export interface StickToBottom {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** The last question with its answer, which `holdQuestion` keeps at the top of the box. */
  readonly end: RefObject<HTMLDivElement | null>
  /** The end is in view or followed; false offers a way back to it. */
  readonly stuck: boolean
  readonly toBottom: () => void
  /** Brings `end` to the top of the box and keeps it there, whatever grows below it, until the person scrolls. */
  readonly holdQuestion: () => void
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
  const end = useRef<HTMLDivElement>(null)
  const following = useRef<'end' | 'question' | 'nothing'>(unfinished ? 'nothing' : 'end')
  const endless = useRef(unfinished)
  endless.current = unfinished
  const [stuck, setStuck] = useState(!unfinished)
  const { settle, place, ...ways } = useMemo(() => {
    const settle = (next: typeof following.current) => {
      following.current = next === 'end' && endless.current ? 'nothing' : next
      const box = scroller.current
      const sees = box !== null && !endless.current && isAtBottom(positionOf(box))
      setStuck(following.current === 'end' || sees)
    }
    /** Brings what is followed back to where it belongs, after something changed its height. */
    const place = () => {
      const box = scroller.current
      const last = end.current
      if (!box) return
      if (following.current === 'end') box.scrollTop = box.scrollHeight
      else if (following.current === 'question' && last) {
        box.scrollTop = last.offsetTop - Number.parseFloat(getComputedStyle(box).paddingTop)
      }
      settle(following.current)
    }
    const follow = (what: 'end' | 'question') => {
      settle(what)
      place()
    }
    return {
      settle,
      place,
      toBottom: () => follow('end'),
      holdQuestion: () => follow('question'),
      unstick: () => settle('nothing'),
    }
  }, [])
  useEffect(() => {
    const box = scroller.current
    const inner = content.current
    if (!box || !inner) return
    let before = positionOf(box)
    const onScroll = () => {
      const now = positionOf(box)
      const isMoved = Math.abs(now.top - before.top) > 1
      // What moves while heights change is the page measuring its rows.
      const isHeld = following.current === 'question' && (!isMoved || now.content !== before.content)
      if (!isHeld) settle(staysStuck(following.current === 'end', before, now) ? 'end' : 'nothing')
      before = now
    }
    // A growing answer would win against the wheel if only positions were compared.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && box.scrollHeight > box.clientHeight) settle('nothing')
    }
    const observer = new ResizeObserver(() => {
      place()
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
  }, [settle, place])
  return { scroller, content, end, stuck, ...ways }
}
