import { describe, expect, it } from 'vitest'
import { sliceLength, slicesOf } from './text-slices.ts'

const plenty = 1_000_000
const cut = (texts: readonly string[], budget = plenty): string[] => [...slicesOf(texts, budget)]
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

describe('a text is cut into slices', () => {
  it.each([
    ['sentences', 'The quick brown fox jumps over the lazy dog. '],
    ['lines', 'const answer = ask(model)\n    .then(read)\n\n'],
    ['spaces', ' '],
    ['dashes', '-'],
    ['Chinese', '漢字仮名交じり文'],
    ['emoji', '😀'],
  ])('of bounded length that lose nothing and split no character: %s', (_what, unit) => {
    // One unit more, so that pairs of surrogates are also at odd places.
    const text = `a${unit.repeat(4_000)}`
    const slices = cut([text])
    expect(slices.join('')).toBe(text)
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(sliceLength)
    expect(slices.filter((slice) => !slice.isWellFormed())).toEqual([])
  })

  it('before a space or after a line break, where a token ends anyway', () => {
    for (const slice of cut(['two words '.repeat(500)]).slice(1)) expect(slice).toMatch(/^ \S/)
    for (const slice of cut(['call();\n'.repeat(500)]).slice(1)) expect(slice).toMatch(/^call/)
  })

  it('and an empty one into none', () => {
    expect(cut(['', 'a', ''])).toEqual(['a'])
  })
})

describe('of more text than the budget', () => {
  it.each([
    ['one text', ['some words '.repeat(100_000)]],
    ['many short texts', Array.from({ length: 100_000 }, () => 'some words ')],
    ['one long text after short ones', [...Array.from({ length: 500 }, () => 'a'), 'some words '.repeat(100_000)]],
    ['a text that is a little too long', ['some words '.repeat(952)]],
  ])('evenly spread slices are taken: %s', (_what, texts) => {
    const budget = 10_000
    const taken = lengthOf(cut(texts, budget))
    expect(taken).toBeLessThanOrEqual(budget + 2 * sliceLength)
    expect(taken).toBeGreaterThan(budget - 2 * sliceLength)
  })

  it('the share of each language is kept', () => {
    const slices = cut(['some words '.repeat(10_000), '漢'.repeat(110_000)], 22_000)
    const ofWords = lengthOf(slices.filter((slice) => slice.includes('words')))
    expect(ofWords / lengthOf(slices)).toBeCloseTo(0.5, 1)
  })
})
