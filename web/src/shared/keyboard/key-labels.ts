/** A key with its modifiers; `mod` is Command on a Mac and Control elsewhere. */
export interface KeyCombination {
  /** KeyboardEvent.code, independent of the layout, or KeyboardEvent.key for named keys and punctuation. */
  readonly key: string
  /** The key's label, if it does not follow from `key`. */
  readonly sign?: string
  readonly mod?: boolean
  /** `any` for punctuation that some layouts have on a shifted key. */
  readonly shift?: boolean | 'any'
  readonly alt?: boolean
}

const isApple = (platform: string): boolean => /^(mac|iphone|ipad)/i.test(platform)
const signs: Readonly<Record<string, string>> = { Escape: 'Esc', Semicolon: ';', ArrowUp: '↑' }
const appleSigns: typeof signs = { ...signs, Backspace: '⌫' }
/** Labels of named keys that differ by language, except on a Mac. */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { Control: 'Strg', Shift: 'Umschalt', Backspace: 'Rücktaste' },
  es: { Shift: 'Mayús', Backspace: 'Retroceso' },
  fr: { Shift: 'Maj', Escape: 'Échap', Enter: 'Entrée', Backspace: 'Retour arrière' },
}

/** The labels of the keys in a language on a platform (`navigator.platform`): one text per key, in the order in which they are pressed. */
export function keyLabels(
  { key, sign, mod = false, shift = false, alt = false }: KeyCombination,
  platform: string,
  locale: string,
): string[] {
  const apple = isApple(platform)
  const own = apple ? undefined : named[locale]
  const name = sign ?? own?.[key] ?? (apple ? appleSigns : signs)[key] ?? key.replace(/^Key/, '')
  const shifted = shift === true ? [apple ? '⇧' : (own?.Shift ?? 'Shift')] : []
  const alternate = alt ? [apple ? '⌥' : 'Alt'] : []
  const modified = mod ? [apple ? '⌘' : (own?.Control ?? 'Ctrl')] : []
  return apple ? [...alternate, ...shifted, ...modified, name] : [...modified, ...alternate, ...shifted, name]
}

/** The keys in the syntax of `aria-keyshortcuts`. */
export const ariaKeys = ({ key, sign, mod, shift, alt }: KeyCombination, platform: string): string =>
  [mod && (isApple(platform) ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift', sign ?? key.replace(/^Key/, '')]
    .filter(Boolean)
    .join('+')
