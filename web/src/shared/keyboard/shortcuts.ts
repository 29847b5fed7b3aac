import type { KeyCombination } from './key-labels.ts'

/** All shortcuts with their default keys, in the order of the shortcut sheet. */
export const defaultKeys = {
  newChat: { key: 'KeyO', mod: true, shift: true },
  palette: { key: 'KeyK', mod: true },
  sheet: { key: '/', mod: true, shift: 'any' },
  toggleSidebar: { key: 'KeyS', mod: true, shift: true },
  focusComposer: { key: 'Escape', shift: true },
  copyAnswer: { key: 'KeyC', mod: true, shift: true },
  copyCode: { key: 'Semicolon', mod: true, shift: true },
  deleteChat: { key: 'Backspace', mod: true, shift: true },
  stop: { key: 'Escape' },
} as const satisfies Record<string, KeyCombination>

export type ShortcutName = keyof typeof defaultKeys

export type ShortcutKeys = Readonly<Record<ShortcutName, KeyCombination>>

export const shortcutNames = Object.keys(defaultKeys) as ShortcutName[]

/** The properties of a key event that identify a shortcut. */
export type KeyPress = Pick<
  KeyboardEvent,
  'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'
>

/** Whether a key press belongs to an input method: it composes or chooses characters, and triggers nothing else. */
export const isComposing = (press: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  // Safari reports the Enter that ends a composition as key code 229.
  press.isComposing || press.keyCode === 229

/** The shortcut of a key press; null for none, and during IME composition. */
export function shortcutOf(press: KeyPress, keys: ShortcutKeys): ShortcutName | null {
  if (press.isComposing) return null
  return shortcutNames.find((name) => matches(keys[name], press)) ?? null
}

function matches({ key, mod = false, shift = false, alt = false }: KeyCombination, press: KeyPress): boolean {
  const named = press.code === key || press.key === key
  const held = (press.ctrlKey || press.metaKey) === mod && press.altKey === alt
  return named && held && (shift === 'any' || press.shiftKey === shift)
}
