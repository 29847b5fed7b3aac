import type { ThemeColors } from '@parley/contracts'
import { contrast, hexOf, mix, type Rgb, rgbOf } from './contrast.ts'

/** The themes that are drawn. */
export const drawnThemes = ['delgdark', 'delglight'] as const
export type DrawnTheme = (typeof drawnThemes)[number]

/** The colours that people choose, in the order in which they are offered. */
export const colorNames = ['primary', 'secondary', 'accent', 'neutral'] as const
export type ColorName = (typeof colorNames)[number]

/** What a theme is by itself: its own four colours and what texts stand on. A test holds it against the style sheet. */
export const ownColors: Record<DrawnTheme, ThemeColors> = {
  delgdark: { primary: '#35d0ba', secondary: '#5aa7ff', accent: '#f2b450', neutral: '#1c222c' },
  delglight: { primary: '#0a6d60', secondary: '#0b5cad', accent: '#8f5400', neutral: '#ecebe5' },
}
export const grounds: Record<DrawnTheme, { surfaces: readonly string[]; texts: readonly string[]; end: Rgb }> = {
  // `texts` stand on the neutral colour; `end` is what a colour is moved towards until it can be read.
  delgdark: { surfaces: ['#0d1015', '#13171e', '#1a1f28'], texts: ['#e9edf3', '#a3adbb', '#8690a0'], end: [1, 1, 1] },
  delglight: { surfaces: ['#faf9f6', '#f3f1ec', '#ffffff'], texts: ['#1b2028', '#4f5967', '#5c6674'], end: [0, 0, 0] },
}

/** The contrast that WCAG's level AA asks of text. */
export const readable = 4.5
/** How much of a colour its tint has, as in the themes' own. */
const tintShare = 0.11
// A little more than is asked, since a colour is rounded to whole steps.
const wanted = readable + 0.05
const steps = 50

/** The first of the colours from `color` to `end` that will do; `end` itself always does. */
function move(color: Rgb, end: Rgb, will: (candidate: Rgb) => boolean): Rgb {
  for (let step = 0; step < steps; step += 1) {
    const candidate = rgbOf(hexOf(mix(end, color, step / steps)))
    if (will(candidate)) return candidate
  }
  return end
}

/** Readable as text on every surface of the theme, and on its own tint there. */
const asText = (theme: DrawnTheme) => {
  const surfaces = grounds[theme].surfaces.map(rgbOf)
  return (color: Rgb): boolean =>
    surfaces.every(
      (surface) => contrast(color, surface) >= wanted && contrast(color, mix(color, surface, tintShare)) >= wanted,
    )
}

/** The theme's texts and its primary colour can be read on it. */
const asGround = (theme: DrawnTheme, primary: Rgb) => {
  const texts = [...grounds[theme].texts.map(rgbOf), primary]
  return (color: Rgb): boolean => texts.every((text) => contrast(text, color) >= wanted)
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [1, 1, 1]

/** The text on a colour: a near black of its own hue where that can be read, else black or white, of which one always can. */
export function contentOn(color: string): string {
  const ground = rgbOf(color)
  const deep = mix(ground, black, 0.14)
  if (contrast(deep, ground) >= wanted) return hexOf(deep)
  return contrast(white, ground) >= contrast(black, ground) ? '#ffffff' : '#000000'
}

/**
 * The colours as a theme draws them: as they were picked where they can be read, else lighter in the dark theme and darker in the light
 * one, as little as that takes. The neutral colour goes the other way, since texts stand on it.
 */
export function fitColors(picked: ThemeColors, theme: DrawnTheme): ThemeColors {
  const { end } = grounds[theme]
  const text = (hex: string): Rgb => move(rgbOf(hex), end, asText(theme))
  // So far from the text that the neutral colour has room beside it.
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
    '--color-primary': primary,
    '--color-primary-content': contentOn(primary),
    '--color-secondary': secondary,
    '--color-secondary-content': contentOn(secondary),
    '--color-accent': accent,
    '--color-accent-content': contentOn(accent),
    '--color-neutral': neutral,
    '--color-warning': accent,
    '--color-warning-content': contentOn(accent),
  }
}

const isHex = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value)

/** What stands in storage or comes from the account; null for anything that is not four colours. */
export function parseColors(value: unknown): ThemeColors | null {
  if (typeof value !== 'object' || value === null) return null
  const { primary, secondary, accent, neutral } = value as Record<string, unknown>
  return isHex(primary) && isHex(secondary) && isHex(accent) && isHex(neutral)
    ? { primary, secondary, accent, neutral }
    : null
}

/** `#rrggbb` of what somebody typed as a colour: with or without the sign, three digits or six; null when it is none. */
export function parseHex(typed: string): string | null {
  const digits = typed.trim().replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{3}$/.test(digits)) return `#${[...digits].map((digit) => digit + digit).join('')}`
  return /^[0-9a-f]{6}$/.test(digits) ? `#${digits}` : null
}
