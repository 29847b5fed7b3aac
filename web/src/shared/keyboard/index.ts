export { isModified } from './is-modified.ts'
export { ariaKeys, type KeyCombination, keyLabels } from './key-labels.ts'
export { storageKey, useShortcutKeys } from './shortcut-keys.ts'
export {
  defaultKeys,
  isComposing,
  type KeyPress,
  type ShortcutKeys,
  type ShortcutName,
  shortcutNames,
  shortcutOf,
} from './shortcuts.ts'
export { useShortcuts } from './use-shortcuts.ts'
