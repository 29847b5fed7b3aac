import { useEffect, useRef } from 'react'
import type { MessageId } from '../../../shared/i18n/index.ts'

/** A key with its modifiers; `mod` is Command on a Mac and Control elsewhere. */
export interface Shortcut {
  /** As in KeyboardEvent.code, so that it stays in place on every layout, or KeyboardEvent.key for named keys and signs. */
  readonly key: string
  readonly mod?: boolean
  /** `any` for a sign that some layouts have on a shifted key. */
  readonly shift?: boolean | 'any'
  readonly label: MessageId
}

/** Everything that the chat does by keyboard; the sheet shows it in this order. */
export const chatShortcuts = {
  newChat: { key: 'KeyO', mod: true, shift: true, label: 'composer.keys.newChat' },
  palette: { key: 'KeyK', mod: true, label: 'composer.keys.palette' },
  sheet: { key: '/', mod: true, shift: 'any', label: 'composer.keys.sheet' },
  toggleSidebar: { key: 'KeyS', mod: true, shift: true, label: 'composer.keys.toggleSidebar' },
  focusComposer: { key: 'Escape', shift: true, label: 'composer.keys.focusComposer' },
  copyAnswer: { key: 'KeyC', mod: true, shift: true, label: 'composer.keys.copyAnswer' },
  copyCode: { key: 'Semicolon', mod: true, shift: true, label: 'composer.keys.copyCode' },
  stop: { key: 'Escape', label: 'composer.keys.stop' },
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
  return named && (press.ctrlKey || press.metaKey) === mod && (shift === 'any' || press.shiftKey === shift)
}

/** A dialog has an Escape of its own, and what lies below it is not to change. */
const isInDialog = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('dialog, [role="dialog"]') !== null

/** Listens for the shortcuts while mounted. An action that answers false had nothing to do and leaves the key to others. */
export function useShortcuts(actions: Readonly<Record<ChatShortcut, () => boolean>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const name = event.defaultPrevented || isInDialog(event) ? null : shortcutOf(event)
      if (name && latest.current[name]()) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
