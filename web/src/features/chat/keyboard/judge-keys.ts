import {
  defaultKeys,
  type KeyCombination,
  type KeyPress,
  type ShortcutKeys,
  type ShortcutName,
  shortcutNames,
  shortcutOf,
} from '../../../shared/keyboard/index.ts'

/** What a key press means while a shortcut waits for its new keys. */
export type Verdict =
  /** It is no combination yet: a modifier by itself, part of a text composition, or a key that is held down. */
  | { readonly type: 'waiting' }
  | { readonly type: 'cancelled' }
  /** `modifier`: it would write, or be pressed by accident; `reserved`: browsers or text fields need it. */
  | { readonly type: 'refused'; readonly reason: 'modifier' | 'reserved'; readonly keys: KeyCombination }
  /** Another shortcut has it, which could have this one's keys instead where `swappable`. */
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

/** Keys that write, erase, or move in a text or on the page, with any modifiers. */
const editing =
  /^(Enter|Tab| |Backspace|Delete|Clear|Arrow.+|Home|End|PageUp|PageDown|ContextMenu|Cut|Copy|Paste|Undo|Redo)$/

/** What browsers and systems do not give away, or people rely on everywhere: with Control or Command, the same with Shift, and alone. */
const kept = { mod: 'ACFHLMNPQRTVWXYZ0123456789-=+', modShift: 'NPQRTVWZ-=+' } as const
const keptNamed = /^F([13567]|1[0-2])$/

/** What stands on keys that say something else with Shift. */
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

/** The Latin letter or digit of a key, whatever the layout writes with it; else its sign without Shift, or its name. */
function signOf({ code, key, shiftKey }: KeyPress): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const place = /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? (shiftKey ? unshifted[code] : undefined)
  return place ?? (key.length === 1 ? key.toUpperCase() : key)
}

/**
 * The combination that was pressed. It is told by the key's place (`code`) and not by what the key writes (`key`), which another layout, Shift, or Option on a
 * Mac changes: keys chosen with a Latin layout work with an Arabic one, too. What stands on the key is kept beside it, to be shown.
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

/** Decides about a key press for the shortcut `name`, while the shortcuts have `keys`. */
export function judgeKeys(press: Press, name: ShortcutName, keys: ShortcutKeys): Verdict {
  const composing = press.isComposing || press.keyCode === 229
  if (composing || press.repeat || press.code === '' || unfinished.test(press.key)) return { type: 'waiting' }
  const pressed = combinationOf(press)
  if (press.key === 'Escape' && isSingle(pressed)) return { type: 'cancelled' }
  if (isReserved(press, pressed)) return { type: 'refused', reason: 'reserved', keys: pressed }
  if (!isEnough(press, pressed, name)) return { type: 'refused', reason: 'modifier', keys: pressed }
  const by = shortcutOf(press, { ...keys, [name]: never })
  if (by === null) return { type: 'free', keys: pressed }
  return { type: 'taken', by, keys: pressed, swappable: !isSingle(keys[name]) || isSingle(defaultKeys[by]) }
}

const never: KeyCombination = { key: 'never' }

/** A key that writes needs Control or Command and no Alt, which writes signs on many layouts; any other a modifier, unless the shortcut began without. */
function isEnough({ key }: KeyPress, pressed: KeyCombination, name: ShortcutName): boolean {
  if ([...key].length === 1) return Boolean(pressed.mod) && !pressed.alt
  return !isSingle(pressed) || isSingle(defaultKeys[name])
}

/** Whether the same press does both; a sign is that of a key without Shift. */
function areSameKeys(one: KeyCombination, other: KeyCombination): boolean {
  const isShifted = one.shift === true
  const named = one.key === other.key || (!isShifted && (one.key === other.sign || one.sign === other.key))
  const held = Boolean(one.mod) === Boolean(other.mod) && Boolean(one.alt) === Boolean(other.alt)
  return named && held && isShifted === (other.shift === true)
}

/** The shortcuts once `name` has the chosen keys; a shortcut that had them gets those that `name` has now. */
export function withKeys(keys: ShortcutKeys, name: ShortcutName, chosen: KeyCombination): ShortcutKeys {
  const next = shortcutNames.map((one) => {
    const given = one === name ? chosen : areSameKeys(keys[one], chosen) ? keys[name] : keys[one]
    return [one, areSameKeys(given, defaultKeys[one]) ? defaultKeys[one] : given]
  })
  return Object.fromEntries(next) as ShortcutKeys
}
