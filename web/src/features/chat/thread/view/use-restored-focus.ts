import { type RefObject, useEffect } from 'react'
import type { ChatSession } from '../session/chat-session.ts'

interface Place {
  readonly element: HTMLElement
  /** Index of the surrounding row in the thread; -1 outside of rows. */
  readonly index: number
  readonly key: string | undefined
  /** The control's name, or that of the control that opened its container. */
  readonly label: string | null
}

/**
 * Keeps the focus in the thread when the focused element is replaced, such as by another version of a message: it moves to the same
 * control of the new row, or else to the row.
 */
export function useRestoredFocus(session: ChatSession, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const area = box.current
    if (!area) return
    let place: Place | null = null
    const arrive = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) place = placeOf(target, session)
    }
    const leave = () => {
      const left = place
      // A removed element also loses the focus, and is gone a moment later.
      queueMicrotask(() => {
        if (place === left && left?.element.isConnected) place = null
      })
    }
    const look = () => {
      if (place === null || place.element.isConnected) return
      if (document.activeElement !== document.body) {
        place = null
        return
      }
      const successor = successorOf(place, area, session)
      // A row of the virtual list is rendered a moment later.
      if (successor === null) return
      place = null
      successor.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(look)
    observer.observe(area, { childList: true, subtree: true })
    area.addEventListener('focusin', arrive)
    area.addEventListener('focusout', leave)
    return () => {
      observer.disconnect()
      area.removeEventListener('focusin', arrive)
      area.removeEventListener('focusout', leave)
    }
  }, [session, box])
}

function placeOf(element: HTMLElement, session: ChatSession): Place {
  const key = element.closest<HTMLElement>('[data-row]')?.dataset.row
  const opener = element.closest<HTMLElement>('[data-opened-by]')?.dataset.openedBy
  return {
    element,
    key,
    index: session.store.getState().messages.findIndex((message) => message.key === key),
    label: opener ?? element.getAttribute('aria-label'),
  }
}

function successorOf({ key, index, label }: Place, area: HTMLElement, session: ChatSession): HTMLElement | null {
  const { messages } = session.store.getState()
  const rowOf = (wanted: string | undefined) =>
    wanted === undefined ? null : area.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted)}"]`)
  const row = rowOf(key) ?? rowOf((messages[index] ?? messages.at(-1))?.key)
  const control = label === null ? null : row?.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(label)}"]`)
  if (!(control instanceof HTMLButtonElement)) return row
  if (!control.disabled) return control
  return control.closest('[role="group"]')?.querySelector<HTMLElement>('button:enabled') ?? row
}
