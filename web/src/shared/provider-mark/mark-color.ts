import type { ProviderId } from '@parley/contracts'

/** Hues of the marks in OKLCH, far enough apart to be distinguished. */
export const markHues: Readonly<Record<ProviderId, number>> = {
  openai: 165,
  anthropic: 45,
  xai: 305,
  google: 95,
  deepseek: 245,
  openrouter: 0,
}

/** Lightness and chroma of a mark in OKLCH, by colour scheme. Constant lightness makes every hue equally readable. */
export const markColors = {
  light: { ground: [0.92, 0.05], figure: [0.4, 0.1] },
  dark: { ground: [0.34, 0.06], figure: [0.9, 0.07] },
} as const

const colorOf = ([lightness, chroma]: readonly [number, number], hue: number): string =>
  `oklch(${lightness} ${chroma} ${hue})`

/** A part of the mark in the current theme's colour. */
export const markColor = (part: 'ground' | 'figure', hue: number): string =>
  `light-dark(${colorOf(markColors.light[part], hue)}, ${colorOf(markColors.dark[part], hue)})`
