import { type RefObject, useEffect, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useStore } from 'zustand'
import { prepareMarkdown } from '../../../shared/message/answer-text.tsx'
import type { ChatSession } from './chat-session.ts'
import { markWords, unmarkWords } from './mark-words.ts'
import type { ThreadMessage } from './thread-message.ts'

/** Milliseconds that a message stands out after the view was led to it. */
const shownMs = 2_500
/** Frames that the rows have at most to find their heights, on which the place of the message depends. */
const settlingFrames = 90
/** Frames without a change after which they have found them. */
const restingFrames = 4

interface View {
  readonly scroller: RefObject<HTMLElement | null>
  readonly list: RefObject<VirtualizerHandle | null>
  /** The rows of the virtual list; a message behind them stands at the end of the page. */
  readonly rows: readonly ThreadMessage[]
  readonly unstick: () => void
}

/** Leads the view and the focus to the message that the session names as its target, once it is there. Answers the key of the row that stands out. */
export function useJumpTo(session: ChatSession, { scroller, list, rows, unstick }: View): string | null {
  const target = useStore(session.store, ({ target: id, messages }) =>
    id === null ? null : (messages.find((message) => message.id === id)?.key ?? null),
  )
  const [shown, setShown] = useState<string | null>(null)
  useEffect(() => {
    if (target === null) return
    unstick()
    const index = rows.findIndex(({ key }) => key === target)
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(target)}"]`)
    if (index >= 0 && !find()) list.current?.scrollToIndex(index, { align: 'center' })
    const arrive = () => {
      const row = find()
      const { words } = session.store.getState()
      row?.focus({ preventScroll: true })
      if (row && words !== null) markWords(row, words)?.scrollIntoView({ block: 'center' })
      setShown(target)
      session.store.setState({ target: null, words: null })
    }
    let frame = 0
    const settle = (frames: number, still: number, top: number | undefined) => {
      const now = centre(find(), scroller.current)
      const rests = now !== undefined && now === top ? still + 1 : 0
      if (rests >= restingFrames || frames >= settlingFrames) return arrive()
      frame = requestAnimationFrame(() => settle(frames + 1, rests, now))
    }
    let left = false
    // Drawn as Markdown the rows have other heights; without it they are drawn plainly.
    void prepareMarkdown()
      .catch(() => undefined)
      .then(() => left || settle(0, 0, undefined))
    return () => {
      left = true
      cancelAnimationFrame(frame)
    }
  }, [target, rows, session, scroller, list, unstick])
  useEffect(() => unmarkWords, [])
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), shownMs)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}

/** Brings a row into the middle of the box, or the beginning of one that is higher than that to its top. Answers where it stands then, in pixels. */
function centre(row: HTMLElement | null | undefined, box: HTMLElement | null): number | undefined {
  if (!row || !box) return undefined
  row.scrollIntoView({ block: row.offsetHeight > box.clientHeight ? 'start' : 'center' })
  return row.getBoundingClientRect().top
}
