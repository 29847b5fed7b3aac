import { readFileSync } from 'node:fs'
import { locales } from '@parley/contracts'
import { expect, it } from 'vitest'
import { builtInPatterns } from '../detection/built-in-patterns.ts'
import { profileOf } from '../learning-profile.ts'
import { type Account, newAccount } from '../store/documents.ts'
import { memoryText } from './memory-text.ts'

const others = locales.filter((name) => name !== 'en')
const textsOf = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${locale}.json`, import.meta.url), 'utf8'))

it.each(others)('every reason of a suggestion is translated to %s', (locale) => {
  for (const { reason } of builtInPatterns) expect(memoryText(reason, locale), reason).not.toBe(reason)
  expect(memoryText('Your pattern “Team” matched.', locale)).toMatch(/Team/)
})

it.each(others)('every recommendation is translated to %s', (locale) => {
  const settings = { ...newAccount('u').settings, autoDetection: false, autoConsolidation: false }
  const stored = Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`k${nth}`, `m${nth}`]))
  const pending = Object.fromEntries(Array.from({ length: 6 }, (_, nth) => [`p${nth}`, `s${nth}`]))
  const accounts: Account[] = [
    { ...newAccount('u'), settings: { ...settings, enabled: false } },
    {
      ...newAccount('u'),
      settings,
      stored,
      pending,
      approved: 1,
      rejected: 20,
      decided: { health: { approved: 0, rejected: 9 } },
    },
    { ...newAccount('u'), approved: 30 },
  ]
  const said = (language: typeof locale | 'en') =>
    accounts.flatMap((account) => profileOf(account, [], () => undefined, language).recommendations)
  const english = said('en')
  const texts = said(locale)
  expect(new Set(english.map(({ id }) => id))).toEqual(
    new Set([
      'enable-memory',
      'first-memory',
      'enable-detection',
      'review-suggestions',
      'raise-threshold',
      'turn-off-health',
      'enable-consolidation',
      'lower-threshold',
    ]),
  )
  for (const [nth, { text }] of texts.entries()) expect(text).not.toBe(english[nth]?.text)
})

it('a stored sentence is read in its present English wording', () => {
  expect(memoryText('You spoke of your work.', 'en')).toBe('You mentioned your work.')
  expect(memoryText('Review the 7 suggestions that wait for you.', 'en')).toBe(
    'Review the 7 suggestions waiting for you.',
  )
  expect(memoryText('Your pattern “Team” matched.', 'en')).toBe('Your pattern “Team” matched.')
  const stored = Object.keys(textsOf('es'))
  expect(Object.keys(textsOf('en')).filter((sentence) => !stored.includes(sentence))).toEqual([])
})

it('every language of memory has the same texts with the same placeholders', () => {
  const valuesOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(String).sort()
  const english = Object.keys(textsOf('es'))
  for (const locale of others) {
    const texts = textsOf(locale)
    expect(Object.keys(texts), locale).toEqual(english)
    for (const [source, text] of Object.entries(texts)) expect(valuesOf(text), text).toEqual(valuesOf(source))
  }
})
