import { expect, it } from 'vitest'
import { matchesWords } from './matches-words.ts'

it('a query matches texts with all its words in any order and case, and a blank one matches everything', () => {
  expect(matchesWords('Copy the last answer', 'ANSWER copy')).toBe(true)
  expect(matchesWords('Copy the last answer', 'copy code')).toBe(false)
  expect(matchesWords('Copy', '  ')).toBe(true)
})
