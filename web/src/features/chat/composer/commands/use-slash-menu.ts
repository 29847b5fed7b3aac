import { type KeyboardEvent, useState } from 'react'
import { isModified } from '../../../../shared/keyboard/index.ts'
import type { Suggestion } from './suggestions.ts'

/** The menu of suggestions, which Escape closes until the text changes. */
export function useSlashMenu(
  text: string,
  suggestions: readonly Suggestion[],
  onPick: (suggestion: Suggestion) => void,
) {
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const [chosen, setChosen] = useState({ text, index: 0 })
  /** The user closed it for this text. */
  const closed = closedAt === text
  // Typing the same text again reopens it.
  if (closedAt !== null && !closed) setClosedAt(null)
  const open = suggestions.length > 0 && !closed
  const active = chosen.text === text ? chosen.index % suggestions.length : 0
  /** Handles a key of the field; returns whether it was for the menu. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open) return false
    const step = isModified(event) ? undefined : { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const picked = suggestions[active]
    if (step !== undefined) setChosen({ text, index: (active + step + suggestions.length) % suggestions.length })
    else if (event.key === 'Escape') setClosedAt(text)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && picked) onPick(picked)
    else return false
    event.preventDefault()
    return true
  }
  /** Closes it until the text changes. */
  const close: (text: string) => void = setClosedAt
  return { open, suggestions, active: Number.isNaN(active) ? 0 : active, onKeyDown, closed, close }
}

export type SlashMenuState = ReturnType<typeof useSlashMenu>
