import { readFileSync } from 'node:fs'
import * as contracts from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { errorText } from './error-text.ts'

describe('the text of an error', () => {
  it('is in the requested language, or in English', () => {
    expect(errorText('Not found', 'fr')).toBe('Introuvable')
    expect(errorText('Not found', 'en')).toBe('Not found')
    for (const english of ['Malformed event id', 'constructor', '', 'Only {0}']) {
      expect(errorText(english, 'ja')).toBe(english)
    }
  })

  it('has its values inserted, whatever they are', () => {
    expect(errorText('Too many requests. Please try again in 30 s.', 'de')).toBe(
      'Zu viele Anfragen. Versuche es in 30\u00a0s erneut.',
    )
    expect(errorText('“$& {1}\n.png” couldn’t be fetched', 'zh')).toBe('无法获取“$& {1}\n.png”')
    expect(errorText('“a “b”.pdf” has too many pages. At most 300 can be read.', 'fr')).toBe(
      '«\u202fa “b”.pdf\u202f» a trop de pages. Au plus 300 peuvent être lues.',
    )
    expect(errorText('Someone else has changed this plan in the meantime.', 'es')).toBe(
      'Otra persona cambió este plan mientras tanto.',
    )
    expect(errorText('Was 60, is now 45', 'de')).toBe('War 60, ist jetzt 45')
    expect(errorText('Was "a, is now b", is now null', 'ja')).toBe('"a, is now b"でしたが、現在はnullです')
    expect(errorText('Your data can be requested again in 3 hours.', 'ar')).toContain('3 ساعات')
  })
})

it('the translations of errors cover the same errors and have the same values', () => {
  const read = (locale: string): Record<string, string> =>
    JSON.parse(readFileSync(new URL(`${locale}.json`, import.meta.url), 'utf8'))
  const valuesOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(String).sort()
  const english = Object.keys(read('es'))
  for (const locale of contracts.locales.filter((name) => name !== 'en')) {
    const texts = read(locale)
    expect(Object.keys(texts), locale).toEqual(english)
    for (const [source, text] of Object.entries(texts)) expect(valuesOf(text), text).toEqual(valuesOf(source))
  }
})

it.each(['de', 'es', 'fr'])('no line of an error in %s breaks between a number and its unit', (locale) => {
  const texts = JSON.parse(readFileSync(new URL(`${locale}.json`, import.meta.url), 'utf8')) as Record<string, string>
  expect(Object.values(texts).filter((text) => /[\d}] (?:[kM]?[Bo]|s)\b/.test(text))).toEqual([])
})

it('messages for guests are translated into every language', () => {
  const groups = Object.values(contracts).filter((each) => typeof each === 'object' && each !== null)
  const routes = groups.flatMap((group) => Object.values(group) as Partial<contracts.Route>[])
  const said = new Set(routes.flatMap((route) => route?.guestRefusal ?? []))
  expect(said.size).toBeGreaterThan(3)
  for (const locale of contracts.locales.filter((name) => name !== 'en')) {
    for (const text of said) expect(errorText(text, locale), locale).not.toBe(text)
  }
})
