import { create } from 'zustand'
import { parseStored, readLocal } from '../session/index.ts'
import type { KeyCombination } from './key-labels.ts'
import { defaultKeys, type ShortcutKeys, shortcutNames } from './shortcuts.ts'

/** Stored per device rather than on the account, because keyboards differ. */
export const storageKey = 'shortcuts'

/** The defaults, overridden by stored keys; malformed entries are ignored. */
export function keysOf(stored: unknown): ShortcutKeys {
  const chosen = (stored ?? {}) as Partial<Record<string, Partial<KeyCombination> | null>>
  const entries = shortcutNames.map((name) => {
    const keys = chosen[name]
    return [name, typeof keys?.key === 'string' ? keys : defaultKeys[name]]
  })
  return Object.fromEntries(entries) as ShortcutKeys
}

const readKeys = (): ShortcutKeys => keysOf(parseStored(readLocal(storageKey)))

/** The keys of each shortcut in this browser. */
export const useShortcutKeys = create<ShortcutKeys>(readKeys)

/** Applies changes from other tabs. Returns a function that stops. */
export function followShortcutKeys(): () => void {
  const take = ({ key }: StorageEvent) => {
    if (key === storageKey || key === null) useShortcutKeys.setState(readKeys())
  }
  window.addEventListener('storage', take)
  return () => window.removeEventListener('storage', take)
}
