import { expect, it } from 'vitest'
import { isDuplicate } from './duplicate-guard.ts'

const sent = [{ text: 'Hello', at: 50_000 }]

it('takes the same text for a duplicate within ten seconds', () => {
  expect(isDuplicate(sent, 'Hello', 50_001)).toBe(true)
  expect(isDuplicate(sent, ' Hello\n', 59_999)).toBe(true)
})

it('does not after ten seconds, nor another text', () => {
  expect(isDuplicate(sent, 'Hello', 60_000)).toBe(false)
  expect(isDuplicate(sent, 'hello', 50_001)).toBe(false)
  expect(isDuplicate([], 'Hello', 50_001)).toBe(false)
})
