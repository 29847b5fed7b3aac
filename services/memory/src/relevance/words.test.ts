import { expect, it } from 'vitest'
import { wordsOf } from './words.ts'

it.each([
  ['The allergies, and an ALLERGIC cat', ['allerg', 'cat']],
  ['Plan B of a café', ['plan', 'cafe']],
  ['القهوة في الصباح', ['قهوة', 'صباح']],
  ['東京が好き', ['東京', '京か', 'か好', '好き']],
  ['猫', ['猫']],
])('%s is found by the words %j', (text, words) => {
  expect([...wordsOf(text)]).toEqual(words)
})
