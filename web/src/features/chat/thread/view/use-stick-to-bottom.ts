import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isAtBottom, type ScrollPosition, scrollsUp, staysStuck } from './stick-to-bottom.ts'

const positionOf = (element: HTMLElement): ScrollPosition => ({
  top: element.scrollTop,
  content: element.scrollHeight,
  view: element.clientHeight,
})

/**
 * Keeps the end of the growing scroll box `scroller` in view, or the last question, until the user scrolls away. Its height depends on `content`. Not while it
 * is `unfinished`, when its end is not that of the thread.
 */
export function useStickToBottom(unfinished: boolean) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  /** The last question with its answer, which `holdQuestion` keeps at the top of the box. */
  const end = useRef<HTMLDivElement>(null)
  const following = useRef<'end' | 'question' | 'nothing'>(unfinished ? 'nothing' : 'end')
  const endless = useRef(unfinished)
  endless.current = unfinished
  /** The end is in view or followed; false offers a way back. */
  const [stuck, setStuck] = useState(!unfinished)
  const { settle, place, ...ways } = useMemo(() => {
    const settle = (next: typeof following.current) => {
      following.current = next === 'end' && endless.current ? 'nothing' : next
      const box = scroller.current
      const sees = box !== null && !endless.current && isAtBottom(positionOf(box))
      setStuck(following.current === 'end' || sees)
    }
    /** Restores the followed position after a change of height. */
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
      /** Moves `end` to the top of the box and keeps it there until the user scrolls. */
      holdQuestion: () => follow('question'),
      /** Stops following, to show something else. */
      unstick: () => settle('nothing'),
    }
  }, [])
  // Before the first paint, which would otherwise show the beginning of a loaded thread.
  useLayoutEffect(() => {
    const box = scroller.current
    const inner = content.current
    if (!box || !inner) return
    let before = positionOf(box)
    const onScroll = () => {
      const now = positionOf(box)
      const isMoved = Math.abs(now.top - before.top) > 1
      // A move during a change of height is caused by row measurement.
      const isHeld = following.current === 'question' && (!isMoved || now.content !== before.content)
      if (!isHeld) settle(staysStuck(following.current === 'end', before, now) ? 'end' : 'nothing')
      before = now
    }
    // Comparing positions alone would let a growing answer win against the wheel, and against the smooth scroll of a key.
    const leave = () => {
      if (box.scrollHeight > box.clientHeight) settle('nothing')
    }
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) leave()
    }
    const onKeyDown = ({ target, key, shiftKey }: KeyboardEvent) => {
      const inTextField = target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
      if (scrollsUp({ key, shiftKey, inTextField })) leave()
    }
    const observer = new ResizeObserver(() => {
      place()
      before = positionOf(box)
    })
    observer.observe(inner)
    observer.observe(box)
    box.addEventListener('scroll', onScroll, { passive: true })
    box.addEventListener('wheel', onWheel, { passive: true })
    box.addEventListener('keydown', onKeyDown)
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
      box.removeEventListener('wheel', onWheel)
      box.removeEventListener('keydown', onKeyDown)
    }
  }, [settle, place])
  return { scroller, content, end, stuck, ...ways }
}
