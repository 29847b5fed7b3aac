import {
  defaultKeys,
  isComposing,
  type KeyCombination,
  type KeyPress,
  type ShortcutKeys,
  type ShortcutName,
  shortcutNames,
  shortcutOf,
} from '../../../shared/keyboard/index.ts'

/** The outcome of a key press while recording new keys for a shortcut. */
export type Verdict =
  /** Not a combination yet: a modifier alone, part of an IME composition, or a repeated key. */
  | { readonly type: 'waiting' }
  | { readonly type: 'cancelled' }
  /** `modifier`: it would type text, or be pressed by accident; `reserved`: browsers or text fields need it. */
  | { readonly type: 'refused'; readonly reason: 'modifier' | 'reserved'; readonly keys: KeyCombination }
  /** Another shortcut uses it, and could take this one's keys in exchange if `swappable`. */
  | {
      readonly type: 'taken'
      readonly by: ShortcutName
      readonly keys: KeyCombination
      readonly swappable: boolean
    }
  | { readonly type: 'free'; readonly keys: KeyCombination }

type Press = KeyPress & Pick<KeyboardEvent, 'keyCode' | 'repeat'>

const unfinished =
  /^(Control|Shift|Alt|AltGraph|Meta|OS|CapsLock|NumLock|ScrollLock|Fn|FnLock|Hyper|Super|Symbol|SymbolLock|Dead|Process|Unidentified|Compose)$/

/** Keys that type, erase, or navigate in a text or on the page, with any modifiers. */
const editing =
  /^(Enter|Tab| |Backspace|Delete|Clear|Arrow.+|Home|End|PageUp|PageDown|ContextMenu|Cut|Copy|Paste|Undo|Redo)$/

/** Combinations reserved by browsers, systems or convention: with Control or Command, and the same with Shift. */
const kept = { mod: 'ACFHLMNPQRTVWXYZ0123456789-=+', modShift: 'NPQRTVWZ-=+' } as const
const keptNamed = /^F([13567]|1[0-2])$/

/** Labels of keys whose character changes with Shift. */
const unshifted: Readonly<Record<string, string>> = {
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  Comma: ',',
  Period: '.',
  Slash: '/',
}

/** The Latin letter or digit of a key, whatever the layout; else its unshifted character or its name. */
function signOf({ code, key, shiftKey }: KeyPress): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? (shiftKey ? unshifted[code] : undefined)
  return place ?? (key.length === 1 ? key.toUpperCase() : key)
}

/**
 * The pressed combination. It is identified by the key's position (`code`) rather than its character (`key`), which depends on the layout, Shift, and Option
 * on a Mac: keys chosen with a Latin layout also work with an Arabic one. The key's label is stored as well, for display.
 */
function combinationOf(press: KeyPress): KeyCombination {
  const sign = signOf(press)
  return {
    key: press.code,
    ...(sign !== press.code && { sign }),
    ...((press.ctrlKey || press.metaKey) && { mod: true }),
    ...(press.shiftKey && { shift: true }),
    ...(press.altKey && { alt: true }),
  }
}

function isReserved(press: KeyPress, { sign, mod, shift, alt }: KeyCombination): boolean {
  if (editing.test(press.key) || keptNamed.test(press.key)) return true
  if (press.key === 'F4' || press.key === 'Escape') return Boolean(mod || alt)
  return Boolean(mod && !alt && sign) && (shift ? kept.modShift : kept.mod).includes(String(sign))
}

const isSingle = ({ mod, shift, alt }: KeyCombination): boolean => !mod && !shift && !alt

/** Judges a key press for the shortcut `name`, given the current `keys` of all shortcuts. */
export function judgeKeys(press: Press, name: ShortcutName, keys: ShortcutKeys): Verdict {
  if (isComposing(press) || press.repeat || press.code === '' || unfinished.test(press.key)) return { type: 'waiting' }
  const pressed = combinationOf(press)
  if (press.key === 'Escape' && isSingle(pressed)) return { type: 'cancelled' }
  if (isReserved(press, pressed)) return { type: 'refused', reason: 'reserved', keys: pressed }
  if (!isEnough(press, pressed, name)) return { type: 'refused', reason: 'modifier', keys: pressed }
  const by = shortcutOf(press, { ...keys, [name]: never })
  if (by === null) return { type: 'free', keys: pressed }
  return { type: 'taken', by, keys: pressed, swappable: !isSingle(keys[name]) || isSingle(defaultKeys[by]) }
}

const never: KeyCombination = { key: 'never' }

/** A typing key needs Control or Command, without Alt, which types characters on many layouts; others need a modifier unless the default has none. */
function isEnough({ key }: KeyPress, pressed: KeyCombination, name: ShortcutName): boolean {
  if ([...key].length === 1) return Boolean(pressed.mod) && !pressed.alt
  return !isSingle(pressed) || isSingle(defaultKeys[name])
}

/** Whether one key press triggers both; characters are compared without Shift. */
function areSameKeys(one: KeyCombination, other: KeyCombination): boolean {
  const isShifted = one.shift === true
  const named = one.key === other.key || (!isShifted && (one.key === other.sign || one.sign === other.key))
  const held = Boolean(one.mod) === Boolean(other.mod) && Boolean(one.alt) === Boolean(other.alt)
  return named && held && isShifted === (other.shift === true)
}

/** The shortcuts after assigning keys to `name`; a shortcut that had these keys gets the previous ones of `name`. */
export function withKeys(keys: ShortcutKeys, name: ShortcutName, chosen: KeyCombination): ShortcutKeys {
  const next = shortcutNames.map((one) => {
    const given = one === name ? chosen : areSameKeys(keys[one], chosen) ? keys[name] : keys[one]
    return [one, areSameKeys(given, defaultKeys[one]) ? defaultKeys[one] : given]
  })
  return Object.fromEntries(next) as ShortcutKeys
}
