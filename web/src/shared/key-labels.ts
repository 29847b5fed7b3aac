/** A key with its modifiers; `mod` is Command on a Mac and Control elsewhere. */
export interface KeyCombination {
  /** As in KeyboardEvent.code or KeyboardEvent.key. */
  readonly key: string
  readonly mod?: boolean
  readonly shift?: boolean | 'any'
  readonly alt?: boolean
}

const isApple = (platform: string): boolean => /^(mac|iphone|ipad)/i.test(platform)
const signs: Readonly<Record<string, string>> = { Escape: 'Esc', Semicolon: ';', ArrowUp: '↑' }

/** How the keys are written on a platform, as `navigator.platform` names it: one text per key, in the order they are pressed. */
export function keyLabels(
  { key, mod = false, shift = false, alt = false }: KeyCombination,
  platform: string,
): string[] {
  const apple = isApple(platform)
  const name = signs[key] ?? key.replace(/^Key/, '')
  const shifted = shift === true ? [apple ? '⇧' : 'Shift'] : []
  const alternate = alt ? [apple ? '⌥' : 'Alt'] : []
  const modified = mod ? [apple ? '⌘' : 'Ctrl'] : []
  return apple ? [...alternate, ...shifted, ...modified, name] : [...modified, ...alternate, ...shifted, name]
}
