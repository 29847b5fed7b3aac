import { useEffect, useRef } from 'react'

/** A key with its modifiers; `mod` is Command on a Mac and Control elsewhere. */
export interface Shortcut {
  /** As in KeyboardEvent.code, so that it stays in place on every layout, or KeyboardEvent.key for named keys. */
  readonly key: string
  readonly mod?: boolean
  readonly shift?: boolean
}

/** Everything that the chat does by keyboard. */
export const chatShortcuts = {
  newChat: { key: 'KeyO', mod: true, shift: true },
  focusComposer: { key: 'Escape', shift: true },
  stop: { key: 'Escape' },
} as const satisfies Record<string, Shortcut>

export type ChatShortcut = keyof typeof chatShortcuts

type KeyPress = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>

/** The shortcut that a key press is; null for none, and during text composition. */
export function shortcutOf(press: KeyPress): ChatShortcut | null {
  if (press.isComposing || press.altKey) return null
  const names = Object.keys(chatShortcuts) as ChatShortcut[]
  return names.find((name) => matches(chatShortcuts[name], press)) ?? null
}

function matches({ key, mod = false, shift = false }: Shortcut, press: KeyPress): boolean {
  const named = press.code === key || press.key === key
  return named && (press.ctrlKey || press.metaKey) === mod && press.shiftKey === shift
}

/** Listens for the shortcuts while mounted. An action that answers false had nothing to do and leaves the key to others. */
export function useShortcuts(actions: Readonly<Record<ChatShortcut, () => boolean>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const name = event.defaultPrevented ? null : shortcutOf(event)
      if (name && latest.current[name]()) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
