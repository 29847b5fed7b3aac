import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultStoredSettings, type StoredSettings } from '../store/documents.ts'
import { detect } from './detect.ts'
import { compilePattern } from './own-patterns.ts'

interface Labelled {
  readonly language: string
  /** Null for a sentence that should not be detected. */
  readonly category: string | null
  readonly text: string
}
const read = <Row>(name: string): Row[] =>
  JSON.parse(readFileSync(new URL(`../../test/${name}.json`, import.meta.url), 'utf8'))
const labelled = read<Labelled>('labelled-sentences')
const unwanted = read<{ kind: string; text: string }>('unwanted-messages')

const found = (text: string, choices: Partial<StoredSettings> = {}) =>
  detect(text, { ...defaultStoredSettings, ...choices })
const texts = (text: string, choices: Partial<StoredSettings> = {}) => found(text, choices).map((one) => one.text)

describe('the labelled sentences', () => {
  const results = labelled.map((sentence) => ({ ...sentence, found: found(sentence.text) }))
  const missed = (language?: string) =>
    results.filter(
      (each) => each.category !== null && each.found.length === 0 && language === (language && each.language),
    )
  const wrong = results.filter((each) => each.category === null && each.found.length > 0)
  const wanted = results.filter(({ category }) => category !== null)
  const hits = wanted.filter((each) => each.found.length > 0)

  it('are 400 in seven languages, with 100 further messages that must not match', () => {
    expect([labelled.length, unwanted.length]).toEqual([400, 100])
    expect(new Set(labelled.map(({ language }) => language)).size).toBe(7)
    expect(new Set([...labelled, ...unwanted].map(({ text }) => text)).size).toBe(500)
  })

  it('are detected with a precision of at least 0.9 and a recall of at least 0.7', () => {
    expect(hits.length / (hits.length + wrong.length), wrong.map(({ text }) => text).join('\n')).toBeGreaterThanOrEqual(
      0.9,
    )
    expect(
      hits.length / wanted.length,
      missed()
        .map(({ text }) => text)
        .join('\n'),
    ).toBeGreaterThanOrEqual(0.7)
  })

  it.each(['en', 'es', 'fr', 'de', 'zh', 'ja', 'ar'])(
    'are detected with a recall of at least 0.7 in %s alone',
    (language) => {
      const own = wanted.filter((each) => each.language === language)
      expect(
        missed(language).length / own.length,
        missed(language)
          .map(({ text }) => text)
          .join('\n'),
      ).toBeLessThanOrEqual(0.3)
    },
  )

  it('get the category of their label in at least 8 of 10 cases', () => {
    const other = hits.filter((each) => each.found[0]?.category !== each.category)
    const shown = other.map((each) => `${each.category} not ${each.found[0]?.category}: ${each.text}`).join('\n')
    expect(1 - other.length / hits.length, shown).toBeGreaterThanOrEqual(0.8)
  })

  it('are not confused with secrets, injections, quotes, pasted texts and hypotheticals: none is detected', () => {
    expect(unwanted.filter(({ text }) => found(text).length > 0)).toEqual([])
  })
})

describe('a fact in a message', () => {
  it('is detected per sentence, with category, confidence and reason', () => {
    expect(found('Thanks! My name is Clara. I live in Bristol. What is the time?')).toEqual([
      { text: 'My name is Clara.', category: 'personal', confidence: 'high', reason: 'You said what you are called.' },
      {
        text: 'I live in Bristol.',
        category: 'location',
        confidence: 'high',
        reason: 'You said where you live or come from.',
      },
    ])
  })

  it('is suggested without the request to remember it', () => {
    expect(texts('Remember that my dog is called Biscuit.')).toEqual(['My dog is called Biscuit.'])
    expect(found('Please remember that my dog is called Biscuit.')[0]).toMatchObject({ category: 'personal' })
  })

  it('is not detected in a message so long that it was probably pasted', () => {
    expect(texts('I live in Bristol.')).toHaveLength(1)
    expect(texts(`I live in Bristol.\n${'x'.repeat(4_000)}`)).toEqual([])
    expect(texts(`${'Many words. '.repeat(40)}I live in Bristol.`)).toEqual([])
  })

  it('is suggested according to the settings: by threshold, category and pattern', () => {
    expect(texts('I love hiking.', { confidenceThreshold: 'high' })).toEqual([])
    expect(texts('I live in Bristol.', { confidenceThreshold: 'high' })).toHaveLength(1)
    expect(texts('I live in Bristol.', { categoriesOff: ['location'] })).toEqual([])
    expect(texts('I live in Bristol.', { patternsOff: ['location'] })).toEqual([])
  })

  it("is detected by the user's own patterns, ignoring case and in linear time, except for secrets", () => {
    const own = { id: 'own', name: 'Project', pattern: '(a+)+ project x', category: 'demo' as const, enabled: true }
    expect(found('Aaa PROJECT X begins soon.', { ownPatterns: [own] })).toMatchObject([{ category: 'demo' }])
    expect(found('Aaa project x begins soon.', { ownPatterns: [{ ...own, enabled: false }] })).toEqual([])
    expect(found('The aaa project x password is tulip.', { ownPatterns: [own] })).toEqual([])
    expect(found(`${'a'.repeat(280)}!`, { ownPatterns: [own] })).toEqual([])
    // A backtracking matcher would try more ways than there are atoms.
    expect(
      compilePattern('(a+)+$')
        .matcher(`${'a'.repeat(10_000)}!`)
        .find(),
    ).toBe(false)
  })

  it("is no longer searched by the user's own patterns once these have taken too much work in one message", () => {
    const heavy = Array.from({ length: 40 }, (_none, nth) => `(\\pL{1,22}){1,20}${nth}z`)
    const own = (...patterns: string[]) =>
      patterns.map((pattern, nth) => ({ id: `${nth}`, name: 'N', pattern, category: 'demo' as const, enabled: true }))
    const message = [...Array<string>(12).fill(`${'a'.repeat(298)}.`), 'A zebra there.', 'I live in Bristol.'].join(
      '\n',
    )
    expect(texts(message, { ownPatterns: own(...heavy.slice(0, 2), 'zebra') })).toHaveLength(2)
    expect(texts(message, { ownPatterns: own(...heavy, 'zebra') })).toEqual(['I live in Bristol.'])
  })

  it('is not detected with the number of a card, whatever is said of it', () => {
    const own = { id: 'own', name: 'Luck', pattern: 'lucky', category: 'demo' as const, enabled: true }
    expect(texts('My lucky one is 4111 1111 1111 1111.', { ownPatterns: [own] })).toEqual([])
    expect(texts('My lucky one is 4111 1111 1111 1112.', { ownPatterns: [own] })).toHaveLength(1)
  })

  it('is one of at most ten in a message', () => {
    const own = { id: 'own', name: 'Fond', pattern: 'fond of', category: 'demo' as const, enabled: true }
    const many = Array.from({ length: 12 }, (_none, nth) => `I am fond of kind ${nth}.`)
    expect(texts(many.join(' '), { ownPatterns: [own] })).toEqual(many.slice(0, 10))
  })
})
