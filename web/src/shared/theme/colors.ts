import type { ThemeColors } from '@parley/contracts'
import { contrast, hexOf, mix, type Rgb, rgbOf } from './contrast.ts'

export const drawnThemes = ['delgdark', 'delglight'] as const
export type DrawnTheme = (typeof drawnThemes)[number]

/** The colours that users choose, in display order. */
export const colorNames = ['primary', 'secondary', 'accent', 'neutral'] as const
export type ColorName = (typeof colorNames)[number]

/** Each theme's own four colours and its surfaces. A test compares them with the style sheet. */
export const ownColors: Record<DrawnTheme, ThemeColors> = {
  delgdark: { primary: '#35d0ba', secondary: '#5aa7ff', accent: '#f2b450', neutral: '#1c222c' },
  delglight: { primary: '#0a6d60', secondary: '#0b5cad', accent: '#8f5400', neutral: '#ecebe5' },
}
export const grounds: Record<DrawnTheme, { surfaces: readonly string[]; texts: readonly string[]; end: Rgb }> = {
  // `texts` are used on the neutral colour; `end` is the colour towards which others are moved until they are readable.
  delgdark: { surfaces: ['#0d1015', '#13171e', '#1a1f28'], texts: ['#e9edf3', '#a3adbb', '#8690a0'], end: [1, 1, 1] },
  delglight: { surfaces: ['#faf9f6', '#f3f1ec', '#ffffff'], texts: ['#1b2028', '#4f5967', '#5c6674'], end: [0, 0, 0] },
}

/** The contrast for text required by WCAG level AA. */
export const readable = 4.5
/** The share of a colour in its tint, as in the themes' own. */
const tintShare = 0.11
// Slightly more than required, because colours are rounded to whole steps.
const wanted = readable + 0.05
const steps = 50

/** The first colour between `color` and `end` that is acceptable; `end` always is. */
function move(color: Rgb, end: Rgb, will: (candidate: Rgb) => boolean): Rgb {
  for (let step = 0; step < steps; step += 1) {
    const candidate = rgbOf(hexOf(mix(end, color, step / steps)))
    if (will(candidate)) return candidate
  }
  return end
}

/** Readable as text on every surface of the theme, and on the colour's own tint there. */
const asText = (theme: DrawnTheme) => {
  const surfaces = grounds[theme].surfaces.map(rgbOf)
  return (color: Rgb): boolean =>
    surfaces.every(
      (surface) => contrast(color, surface) >= wanted && contrast(color, mix(color, surface, tintShare)) >= wanted,
    )
}

/** The theme's texts and its primary colour are readable on it. */
const asGround = (theme: DrawnTheme, primary: Rgb) => {
  const texts = [...grounds[theme].texts.map(rgbOf), primary]
  return (color: Rgb): boolean => texts.every((text) => contrast(text, color) >= wanted)
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [1, 1, 1]

/** The text colour on a colour: a near-black of the same hue if readable, else black or white, one of which always is. */
export function contentOn(color: string): string {
  const ground = rgbOf(color)
  const deep = mix(ground, black, 0.14)
  if (contrast(deep, ground) >= wanted) return hexOf(deep)
  return contrast(white, ground) >= contrast(black, ground) ? '#ffffff' : '#000000'
}

/**
 * Adapts picked colours to a theme: unchanged where readable, else lightened in the dark theme and darkened in the light
 * one, as little as possible. The neutral colour moves the other way, because texts are placed on it.
 */
export function fitColors(picked: ThemeColors, theme: DrawnTheme): ThemeColors {
  const { end } = grounds[theme]
  const text = (hex: string): Rgb => move(rgbOf(hex), end, asText(theme))
  // Far enough from the text to leave room for the neutral colour.
  const primary = text(picked.primary)
  const away = end === grounds.delgdark.end ? black : white
  return {
    primary: hexOf(primary),
    secondary: hexOf(text(picked.secondary)),
    accent: hexOf(text(picked.accent)),
    neutral: hexOf(move(rgbOf(picked.neutral), away, asGround(theme, primary))),
  }
}

const alpha = Math.round(tintShare * 255).toString(16)

/** The custom properties of a theme with these colours. */
export function propertiesOf(picked: ThemeColors, theme: DrawnTheme): Record<string, string> {
  const { primary, secondary, accent, neutral } = fitColors(picked, theme)
  return {
    '--brand': primary,
    '--brand-weak': `${primary}${alpha}`,
    '--on-brand': contentOn(primary),
    '--second': secondary,
    '--warn': accent,
    '--warn-weak': `${accent}${alpha}`,
    '--bubble': neutral,
  }
}

const isHex = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value)

/** Parses colours from storage or the account; null unless there are four valid colours. */
export function parseColors(value: unknown): ThemeColors | null {
  if (typeof value !== 'object' || value === null) return null
  const { primary, secondary, accent, neutral } = value as Record<string, unknown>
  return isHex(primary) && isHex(secondary) && isHex(accent) && isHex(neutral)
    ? { primary, secondary, accent, neutral }
    : null
}

/** Normalises typed colours to `#rrggbb`: with or without the hash sign, three or six digits; null when invalid. */
export function parseHex(typed: string): string | null {
  const digits = typed.trim().replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{3}$/.test(digits)) return `#${[...digits].map((digit) => digit + digit).join('')}`
  return /^[0-9a-f]{6}$/.test(digits) ? `#${digits}` : null
}
