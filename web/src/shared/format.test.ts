import { expect, it } from 'vitest'
import { formatBytes, formatDay, formatMoment, formatMoney, formatSeconds, formatShare } from './format.ts'

it('a date has its year only if it is not the present one', () => {
  const now = new Date(2026, 5, 1)
  expect(formatDay(new Date(2026, 11, 4).toISOString(), 'en-GB', now)).toBe('4 December')
  expect(formatDay(new Date(2027, 0, 4).toISOString(), 'en-GB', now)).toBe('4 January 2027')
})

it('the first of a month is an ordinal in French', () => {
  const now = new Date(2026, 5, 1)
  const written = (day: number): string => formatDay(new Date(2026, 11, day).toISOString(), 'fr', now)
  expect([1, 2, 11].map(written)).toEqual(['1er décembre', '2 décembre', '11 décembre'])
  expect(formatMoment(new Date(2026, 11, 1, 14, 5).toISOString(), 'fr', now)).toBe('1er déc., 14:05')
  expect(formatDay(new Date(2026, 11, 1).toISOString(), 'es', now)).toBe('1 de diciembre')
})

it('times have minutes, and durations a suitable precision', () => {
  const now = new Date(2026, 5, 1)
  expect(formatMoment(new Date(2026, 11, 4, 14, 5).toISOString(), 'en-GB', now)).toBe('4 Dec, 14:05')
  expect(formatMoment(new Date(2025, 11, 4, 14, 5).toISOString(), 'en-GB', now)).toBe('4 Dec 2025, 14:05')
  expect([380, 3849, 10_400].map((ms) => formatSeconds(ms, 'en'))).toEqual(['0.4', '3.8', '10'])
  expect(formatSeconds(3849, 'de')).toBe('3,8')
})

it('sizes are formatted in the largest suitable unit', () => {
  const sizes = [0, 203, 999, 412_300, 999_499, 999_500, 3_140_000, 120_400_000, 1_000_000_000]
  const texts = ['0 bytes', '203 bytes', '999 bytes', '412 kB', '999 kB', '1 MB', '3.1 MB', '120 MB', '1 GB']
  expect(sizes.map((bytes) => formatBytes(bytes, 'en'))).toEqual(texts)
  const arabic = [1_800, 3_100_000, 1_000_000_000].map((bytes) => formatBytes(bytes, 'ar-u-nu-latn'))
  expect(arabic).toEqual(['1.8 كيلوبايت', '3.1 ميغابايت', '1 غيغابايت'])
})

it('amounts are formatted in their currency, or with their unit if it is not a currency', () => {
  expect(formatMoney(1_234.5, 'USD', 'en')).toBe('$1,234.50')
  expect(formatMoney(0.00123, 'USD', 'en', 4)).toBe('$0.0012')
  expect(formatMoney(71.23, 'USD', 'ar-u-nu-latn')).toContain('US$\u200E')
  expect(formatMoney(712.6, 'GBp', 'en')).toBe('712.60 GBp')
})

it.each([
  [0, '0%'],
  [0.000_05, '<1%'],
  [0.0049, '<1%'],
  [0.005, '1%'],
  [0.123, '12%'],
  [1, '100%'],
])('a share of %f is written as %s', (share, text) => {
  expect(formatShare(share, 'en')).toBe(text)
})

it('a share close to zero is formatted for each language', () => {
  expect(['de', 'fr', 'ar'].map((locale) => formatShare(0.001, locale).replaceAll(/[\s\u200e]/g, ''))).toEqual([
    '<1%',
    '<1%',
    expect.stringMatching(/^<(1%|١٪)/),
  ])
})
