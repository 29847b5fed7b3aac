import { expect, it } from 'vitest'
import { mergeOf } from './consolidate.ts'
import { wordsOf } from './relevance/words.ts'

const stored = (id: string, text: string) => ({ id, text, words: wordsOf(text) })
const memory = { id: 'new', text: 'alpha bravo charlie', category: 'general' } as const

it('two memories are merged from three fifths of common words on', () => {
  const three = stored('three', 'alpha bravo charlie delta echo')
  expect(mergeOf(memory, [three])?.merges).toEqual(['new', 'three'])
  const half = stored('half', 'alpha bravo charlie delta echo foxtrot')
  expect(mergeOf(memory, [half])).toBeUndefined()
})

it('a memory is not merged with itself', () => {
  expect(mergeOf(memory, [stored('new', memory.text)])).toBeUndefined()
})

it('a merge has the longest text, and those that add words to it', () => {
  const longer = stored('longer', 'alpha bravo charlie delta')
  expect(mergeOf(memory, [longer])?.text).toBe('alpha bravo charlie delta')
  const other = stored('other', 'alpha bravo charlie echo')
  expect(mergeOf(memory, [longer, other])?.text).toBe('alpha bravo charlie delta alpha bravo charlie echo')
})
