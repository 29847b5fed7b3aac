import { create } from 'zustand'
import { parseStored, readLocal } from '../session/index.ts'
import type { KeyCombination } from './key-labels.ts'
import { defaultKeys, type ShortcutKeys, shortcutNames } from './shortcuts.ts'

/** A keyboard belongs to the device, so that its keys are not kept on the account. */
export const storageKey = 'shortcuts'

/** The keys in use: the default ones, but for those that were stored; what is malformed counts as not stored. */
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

/** Takes over what is chosen in other tabs. Answers a function that ends it. */
export function followShortcutKeys(): () => void {
  const take = ({ key }: StorageEvent) => {
    if (key === storageKey || key === null) useShortcutKeys.setState(readKeys())
  }
  window.addEventListener('storage', take)
  return () => window.removeEventListener('storage', take)
}
