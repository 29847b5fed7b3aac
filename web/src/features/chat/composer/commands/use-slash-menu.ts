import { type KeyboardEvent, useState } from 'react'
import type { Suggestion } from './suggestions.ts'

/** The menu of suggestions as it stands for a text. */
export interface SlashMenuState {
  readonly open: boolean
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  /** Takes a key of the field; answers whether it was meant for the menu. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean
  /** It was closed for this text. */
  readonly closed: boolean
  /** Keeps it closed until the text is another one. */
  readonly close: (text: string) => void
}

/** Follows what is written and the keys. Escape closes the menu until the text changes. */
export function useSlashMenu(
  text: string,
  suggestions: readonly Suggestion[],
  onPick: (suggestion: Suggestion) => void,
): SlashMenuState {
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const [chosen, setChosen] = useState({ text, index: 0 })
  const closed = closedAt === text
  // Written again, the same text opens it again.
  if (closedAt !== null && !closed) setClosedAt(null)
  const open = suggestions.length > 0 && !closed
  const active = chosen.text === text ? chosen.index % suggestions.length : 0
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const picked = suggestions[active]
    if (step !== undefined) setChosen({ text, index: (active + step + suggestions.length) % suggestions.length })
    else if (event.key === 'Escape') setClosedAt(text)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && picked) onPick(picked)
    else return false
    event.preventDefault()
    return true
  }
  return { open, suggestions, active: Number.isNaN(active) ? 0 : active, onKeyDown, closed, close: setClosedAt }
}
