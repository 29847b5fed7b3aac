import { type RefObject, useEffect, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useStore } from 'zustand'
import { prepareMarkdown } from '../../../../shared/message/answer-text.tsx'
import type { ChatSession } from '../session/chat-session.ts'
import type { ThreadMessage } from '../state/thread-message.ts'
import { markWords, unmarkWords } from './mark-words.ts'

/** Milliseconds for which a scroll target is highlighted. */
const shownMs = 2_500
/** Maximum frames until row heights have settled, on which the target's position depends. */
const settlingFrames = 90
/** Frames without a change after which they have settled. */
const restingFrames = 4

interface View {
  readonly scroller: RefObject<HTMLElement | null>
  readonly list: RefObject<VirtualizerHandle | null>
  /** The rows of the virtual list; a message after them is at the end of the page. */
  readonly rows: readonly ThreadMessage[]
  readonly unstick: () => void
}

/** Scrolls and moves the focus to the session's target message, once it is rendered. Returns the key of the highlighted row. */
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
    // Rendering Markdown changes row heights; if it cannot be loaded rows stay plain.
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

/** Centres a row in the box, or aligns a taller one to its top. Returns its position in pixels. */
function centre(row: HTMLElement | null | undefined, box: HTMLElement | null): number | undefined {
  if (!row || !box) return undefined
  row.scrollIntoView({ block: row.offsetHeight > box.clientHeight ? 'start' : 'center' })
  return row.getBoundingClientRect().top
}
