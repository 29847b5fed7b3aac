import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseTheme, resolveTheme } from './theme.ts'

const css = readFileSync(new URL('./themes.css', import.meta.url), 'utf8')

function valuesOf(theme: string): Record<string, string> {
  const block = css.match(new RegExp(`^\\[data-theme="${theme}"\\] \\{([^}]*)\\}`, 'm'))?.[1] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6,8});/g)].map(([, name, value]) => [name, value]),
  )
}

const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

/** A colour with two digits of opacity over an opaque one. */
function over(hex: string, ground: string): number[] {
  const alpha = hex.length === 9 ? Number.parseInt(hex.slice(7), 16) / 255 : 1
  const below = channels(ground)
  return channels(hex).map((value, index) => value * alpha + (below[index] ?? 0) * (1 - alpha))
}

const luminance = (rgb: number[]): number => {
  const [r = 0, g = 0, b = 0] = rgb.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: number[], b: number[]): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(['delgdark', 'delglight'])('the theme %s', (theme) => {
  const values = valuesOf(theme)
  const value = (name: string) => values[name] ?? `missing ${name}`
  const ratio = (front: string, ground: string, tint?: string) => {
    const below = tint ? over(value(tint), value(ground)) : channels(value(ground))
    return contrast(over(value(front), value(ground)), below)
  }

  it.each(['ink', 'ink-2', 'ink-3', 'brand', 'danger', 'warn', 'ok'])('shows %s legibly on every surface', (front) => {
    for (const ground of ['page', 'raised', 'overlay']) {
      expect(ratio(front, ground), `${front} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('shows texts legibly on tints, bubbles, code and buttons', () => {
    const pairs: [string, string, string?][] = [
      ['on-brand', 'brand'],
      ['ink', 'bubble'],
      ['ink-2', 'code'],
      ['ink-3', 'code'],
      ['code-keyword', 'code'],
      ['code-string', 'code'],
      ['code-function', 'code'],
      ['ink', 'raised', 'active'],
      ['ink-2', 'raised', 'hover'],
      ['ink-3', 'raised', 'hover'],
      ['brand', 'page', 'brand-weak'],
      ['brand', 'raised', 'brand-weak'],
      ['danger', 'page', 'danger-weak'],
      ['warn', 'page', 'warn-weak'],
    ]
    for (const [front, ground, tint] of pairs) {
      expect(ratio(front, ground, tint), `${front} on ${tint ?? ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('shows the borders of fields with sufficient contrast', () => {
    for (const ground of ['page', 'overlay']) expect(ratio('field-line', ground)).toBeGreaterThanOrEqual(3)
  })
})

describe('the choice of a theme', () => {
  it('falls back to delgdark', () => {
    expect(['delglight', 'system', null, '', 'cupcake'].map(parseTheme)).toEqual([
      'delglight',
      'system',
      'delgdark',
      'delgdark',
      'delgdark',
    ])
  })

  it('follows the device only if the system theme is chosen', () => {
    expect(resolveTheme('system', true)).toBe('delglight')
    expect(resolveTheme('system', false)).toBe('delgdark')
    expect(resolveTheme('delgdark', true)).toBe('delgdark')
  })
})
