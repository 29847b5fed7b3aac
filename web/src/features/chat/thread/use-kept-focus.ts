import { type RefObject, useEffect } from 'react'
import type { ChatSession } from './chat-session.ts'

/** Where the focus is in the thread. */
interface Place {
  readonly element: HTMLElement
  /** The row around it by its number in the thread; -1 outside of rows. */
  readonly index: number
  readonly key: string | undefined
  /** The name of the control, or of the one that opened what it is part of. */
  readonly label: string | null
}

/**
 * Keeps the focus in the thread when what had it is replaced, as by another version of a message: it goes to the same control of the row that stands
 * there now, else to the row.
 */
export function useKeptFocus(session: ChatSession, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const area = box.current
    if (!area) return
    let place: Place | null = null
    const arrive = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) place = placeOf(target, session)
    }
    const leave = () => {
      const left = place
      // What is being removed is left as well, and gone a moment later.
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
      // A row of the virtual list comes a moment later.
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
