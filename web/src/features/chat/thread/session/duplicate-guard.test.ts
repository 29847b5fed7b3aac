import { expect, it } from 'vitest'
import { isDuplicate } from './duplicate-guard.ts'

const sent = [{ text: 'Hello', at: 50_000 }]

it('the same text within ten seconds is a duplicate', () => {
  expect(isDuplicate(sent, 'Hello', 50_001)).toBe(true)
  expect(isDuplicate(sent, ' Hello\n', 59_999)).toBe(true)
})

it('the same text after ten seconds, or another text, is not a duplicate', () => {
  expect(isDuplicate(sent, 'Hello', 60_000)).toBe(false)
  expect(isDuplicate(sent, 'hello', 50_001)).toBe(false)
  expect(isDuplicate([], 'Hello', 50_001)).toBe(false)
})
