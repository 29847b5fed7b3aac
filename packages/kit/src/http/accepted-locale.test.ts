import { expect, it } from 'vitest'
import { acceptedLocale } from './accepted-locale.ts'

it.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['pt-BR,fr;q=0.7,en;q=0.9', 'en'],
  ['ZH-Hant-TW', 'zh'],
  ['es;q=0, ar', 'ar'],
  ['*', null],
  ['pt', null],
  ['en;q=x,,;;', null],
  ['', null],
  [undefined, null],
])('a caller who accepts %j gets %j', (header, locale) => {
  expect(acceptedLocale({ 'accept-language': header })).toBe(locale)
})
