import { expect, it } from 'vitest'
import { speechLanguage } from './speech-language.ts'

it.each([
  ['en', ['de-DE', 'en-GB', 'en-US'], 'en-GB'],
  ['en', ['de-DE', 'en'], 'en-US'],
  ['ar-u-nu-latn', ['en-US'], 'ar-EG'],
  ['zh', ['zh-Hant-TW'], 'zh-TW'],
  ['ja', [], 'ja-JP'],
])('the speech language for %s in a browser that prefers %j is %s', (tag, browser, expected) => {
  expect(speechLanguage(tag, browser)).toBe(expected)
})
