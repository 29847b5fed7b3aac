import { type KeyboardEvent, useState } from 'react'
import { type CommandName, commandsFor, type SlashCommand } from './slash-commands.ts'

/** The menu of commands as it stands for a text. */
export interface SlashMenuState {
  readonly open: boolean
  readonly commands: readonly SlashCommand[]
  readonly active: number
  /** Takes a key of the field; answers whether it was meant for the menu. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean
}

/** Follows what is written and the keys. Escape closes the menu until the text changes. */
export function useSlashMenu(
  text: string,
  offered: readonly SlashCommand[],
  onPick: (name: CommandName) => void,
): SlashMenuState {
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const [chosen, setChosen] = useState({ text, index: 0 })
  const commands = commandsFor(text, offered)
  const open = commands.length > 0 && closedAt !== text
  const active = chosen.text === text ? chosen.index % commands.length : 0
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const picked = commands[active]
    if (step !== undefined) setChosen({ text, index: (active + step + commands.length) % commands.length })
    else if (event.key === 'Escape') setClosedAt(text)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && picked) onPick(picked.name)
    else return false
    event.preventDefault()
    return true
  }
  return { open, commands, active: Number.isNaN(active) ? 0 : active, onKeyDown }
}
