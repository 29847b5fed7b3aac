import {
  defaultKeys,
  type ShortcutKeys,
  shortcutNames,
  storageKey,
  useShortcutKeys,
} from '../../../shared/keyboard/index.ts'
import { writeLocal } from '../../../shared/session/index.ts'

/** Applies shortcut keys here and in other tabs. */
export function keepKeys(keys: ShortcutKeys): void {
  const chosen = shortcutNames.filter((name) => keys[name] !== defaultKeys[name]).map((name) => [name, keys[name]])
  writeLocal(storageKey, chosen.length > 0 ? JSON.stringify(Object.fromEntries(chosen)) : null)
  useShortcutKeys.setState(keys)
}
