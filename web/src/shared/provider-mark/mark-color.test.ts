import { providerIds } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { contrast, type Rgb } from '../theme/contrast.ts'
import { markColor, markColors, markHues } from './mark-color.ts'

it('the hues of two providers are at least 45 degrees apart', () => {
  const hues = providerIds.map((id) => markHues[id]).sort((one, other) => one - other)
  const next = [...hues.slice(1), (hues[0] ?? 0) + 360]
  for (const [index, hue] of hues.entries()) expect((next[index] ?? 0) - hue, `from ${hue}`).toBeGreaterThanOrEqual(45)
})

/** OKLCH in sRGB, clipped to its gamut as browsers do. */
function rgbOf([lightness, chroma]: readonly [number, number], hue: number): Rgb {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
  const [red = 0, green = 0, blue = 0] = linear.map((value) => {
    const within = Math.min(1, Math.max(0, value))
    return within <= 0.0031308 ? within * 12.92 : 1.055 * within ** (1 / 2.4) - 0.055
  })
  return [red, green, blue]
}

describe.each(['light', 'dark'] as const)('a mark in a %s theme', (scheme) => {
  it('has the contrast of text in every hue', () => {
    const { ground, figure } = markColors[scheme]
    for (let hue = 0; hue < 360; hue += 1) {
      expect(contrast(rgbOf(figure, hue), rgbOf(ground, hue)), `hue ${hue}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})

it('a mark has colours for both themes', () => {
  expect(markColor('ground', 7)).toBe('light-dark(oklch(0.92 0.05 7), oklch(0.34 0.06 7))')
})
