export { ariaKeys, type KeyCombination, keyLabels } from './key-labels.ts'
export { followShortcutKeys, keepShortcutKeys, useShortcutKeys } from './shortcut-keys.ts'
export {
  defaultKeys,
  type KeyPress,
  type ShortcutKeys,
  type ShortcutName,
  shortcutNames,
  shortcutOf,
} from './shortcuts.ts'
