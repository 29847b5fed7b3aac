import { useEffect, useRef } from 'react'
import { followShortcutKeys, useShortcutKeys } from './shortcut-keys.ts'
import { type ShortcutName, shortcutOf } from './shortcuts.ts'

/** A dialog handles Escape itself, and the page below it must not change. */
const isInDialog = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('dialog, [role="dialog"]') !== null

/** Handles these shortcuts while mounted. An action that returns false had nothing to do and leaves the key press to others. */
export function useShortcuts(actions: Readonly<Partial<Record<ShortcutName, () => boolean>>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => followShortcutKeys(), [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInDialog(event)) return
      const name = shortcutOf(event, useShortcutKeys.getState())
      if (name && latest.current[name]?.()) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
