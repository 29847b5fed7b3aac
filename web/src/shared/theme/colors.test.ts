import { readFileSync } from 'node:fs'
import type { ThemeColors } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { contentOn, drawnThemes, fitColors, grounds, ownColors, parseColors, parseHex, propertiesOf } from './colors.ts'
import { contrast, mix, rgbOf } from './contrast.ts'

const css = readFileSync(new URL('./themes.css', import.meta.url), 'utf8')

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = randomNumbers(20_260_101)
const randomHex = (): string =>
  `#${Math.floor(random() * 0x1000000)
    .toString(16)
    .padStart(6, '0')}`
const ends = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#808080']
const picks: ThemeColors[] = [
  ...ends.map((color) => ({ primary: color, secondary: color, accent: color, neutral: color })),
  ...Array.from({ length: 300 }, () => ({
    primary: randomHex(),
    secondary: randomHex(),
    accent: randomHex(),
    neutral: randomHex(),
  })),
]

it('contrast is computed as in WCAG', () => {
  expect(contrast(rgbOf('#000000'), rgbOf('#ffffff'))).toBeCloseTo(21)
  expect(contrast(rgbOf('#777777'), rgbOf('#ffffff'))).toBeCloseTo(4.48, 2)
  expect(contrast(rgbOf('#ffffff'), rgbOf('#ffffff'))).toBe(1)
})

describe.each(drawnThemes)('any custom colours in %s', (theme) => {
  const { surfaces, texts } = grounds[theme]
  const ratio = (front: string, ground: string) => contrast(rgbOf(front), rgbOf(ground))

  it('are legible as text on every surface and on their own tints', () => {
    for (const picked of picks) {
      const { primary, secondary, accent } = fitColors(picked, theme)
      for (const color of [primary, secondary, accent]) {
        for (const surface of surfaces) {
          expect(ratio(color, surface), `${color} on ${surface}`).toBeGreaterThanOrEqual(4.5)
          const tint = mix(rgbOf(color), rgbOf(surface), 0x1c / 255)
          expect(contrast(rgbOf(color), tint), `${color} on its tint on ${surface}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })

  it('have legible text on them', () => {
    for (const picked of picks) {
      const drawn = fitColors(picked, theme)
      for (const color of [drawn.primary, drawn.secondary, drawn.accent]) {
        expect(ratio(contentOn(color), color), `on ${color}`).toBeGreaterThanOrEqual(4.5)
      }
      for (const text of [...texts, drawn.primary]) {
        expect(ratio(text, drawn.neutral), `${text} on ${drawn.neutral}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it('are not changed if they are already legible', () => {
    expect(fitColors(ownColors[theme], theme)).toMatchObject({
      primary: ownColors[theme].primary,
      secondary: ownColors[theme].secondary,
      accent: ownColors[theme].accent,
    })
  })

  it('set the properties of the style sheet, and otherwise only the colours of contents', () => {
    const block = css.match(new RegExp(`^(?:.*,\\n)?\\[data-theme="${theme}"\\] \\{([^}]*)\\}`, 'm'))?.[1] ?? ''
    const plugin = css.match(new RegExp(`name: "${theme}";([^}]*)\\}`))?.[1] ?? ''
    const own = ownColors[theme]
    for (const name of Object.keys(propertiesOf(own, theme))) expect(block + plugin).toContain(`${name}:`)
    expect(block).toContain(`--brand: ${own.primary};`)
    expect(block).toContain(`--second: ${own.secondary};`)
    expect(block).toContain(`--warn: ${own.accent};`)
    expect(block).toContain(`--bubble: ${own.neutral};`)
    for (const [name, surface] of [
      ['page', surfaces[0]],
      ['raised', surfaces[1]],
      ['overlay', surfaces[2]],
    ]) {
      expect(block).toContain(`--${name}: ${surface};`)
    }
    for (const [name, text] of [
      ['ink', texts[0]],
      ['ink-2', texts[1]],
      ['ink-3', texts[2]],
    ]) {
      expect(block).toContain(`--${name}: ${text};`)
    }
  })
})

describe('custom colours', () => {
  const colors = { primary: '#112233', secondary: '#445566', accent: '#778899', neutral: '#aabbcc' }

  it('are accepted as four complete values', () => {
    expect(parseColors(colors)).toEqual(colors)
    expect(parseColors({ ...colors, more: 1 })).toEqual(colors)
    for (const value of [null, 3, 'red', {}, { ...colors, accent: 'red' }, { ...colors, accent: '#7788999' }]) {
      expect(parseColors(value)).toBeNull()
    }
  })

  it('are parsed from usual notations', () => {
    expect(['#ABC', 'abc', ' #aabbcc ', 'AABBCC'].map(parseHex)).toEqual(Array(4).fill('#aabbcc'))
    expect(['', '#', 'red', '#12', '#12345', '#1234567', 'rgb(1,2,3)'].map(parseHex)).toEqual(Array(7).fill(null))
  })
})
