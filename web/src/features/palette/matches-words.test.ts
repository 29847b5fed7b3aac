import { expect, it } from 'vitest'
import { matchesWords } from './matches-words.ts'

it('wants every word in any order and case, and nothing of a blank query', () => {
  expect(matchesWords('Copy the last answer', 'ANSWER copy')).toBe(true)
  expect(matchesWords('Copy the last answer', 'copy code')).toBe(false)
  expect(matchesWords('Copy', '  ')).toBe(true)
})
