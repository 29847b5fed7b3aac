/** How a provider is marked: letters of its name on a hue that is its own, on any device. */
export interface ProviderMark {
  readonly letters: string
  /** From 0 to 359. */
  readonly hue: number
}

/** Parts of a name: words, numbers, and what begins with a capital inside of a word. */
const partsOfName = /\p{Lu}*[\p{Ll}\p{M}]+|[\p{Lu}\p{N}]+|\p{L}+/gu

/** The mark of a provider's name: the initials of its first two parts, the first two letters of a single one, or one sign of a script without capitals. */
export function markOf(name: string): ProviderMark {
  const parts = name.match(partsOfName) ?? ['?']
  const [first = '', second] = parts
  const hasCase = first.toLowerCase() !== first.toUpperCase()
  const letters = hasCase
    ? second === undefined
      ? first.slice(0, 2)
      : initialOf(first) + initialOf(second)
    : initialOf(first)
  return { letters: second === undefined ? letters : letters.toUpperCase(), hue: hueOf(name) }
}

const initialOf = (part: string): string => Array.from(part)[0] ?? ''

/** FNV-1a, spread over the circle. */
function hueOf(name: string): number {
  let hash = 0x811c9dc5
  for (const character of name.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) % 360
}

/** Lightness and chroma of a mark in OKLCH, by the scheme of the theme. Of one lightness, every hue can be read alike. */
export const markColors = {
  light: { ground: [0.92, 0.05], letters: [0.4, 0.1] },
  dark: { ground: [0.34, 0.06], letters: [0.9, 0.07] },
} as const

const colorOf = ([lightness, chroma]: readonly [number, number], hue: number): string =>
  `oklch(${lightness} ${chroma} ${hue})`

/** A part of the mark in the colour of whichever theme is on. */
export const markColor = (part: 'ground' | 'letters', hue: number): string =>
  `light-dark(${colorOf(markColors.light[part], hue)}, ${colorOf(markColors.dark[part], hue)})`
